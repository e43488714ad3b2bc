// Finds paths that exist on one contributor's machine only. A link, comment or script with such a
// path is broken in every other checkout.

import type { Rule } from './violation.ts'

const localPath = /\/(?:work|Users)\/|\.\.\/shared/

export const checkLocalPaths: Rule = (path, text) =>
  text.split('\n').flatMap((content, index) => {
    const found = localPath.exec(content)?.[0]
    if (found === undefined) return []
    const message = `local-paths: "${found}" is a path of one machine; write a path from the root.`
    return [{ path, line: index + 1, message }]
  })
