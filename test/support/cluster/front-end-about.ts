// What a front end says of itself when it joins the cluster of its machine.

import type { NodeAbout } from '../../../src/store/store.ts'

export const frontEndAbout: NodeAbout = {
  address: '',
  version: 'test',
  protocol: 1,
  engineVersion: 1,
  settingsHash: 'same',
  shardsMax: 0,
}
