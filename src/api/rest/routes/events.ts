// The event replay: stored events, within the retention time.

import { expand, type StoredEventRecord } from '../../../core/events/events.ts'
import { rewoundAt } from '../../event-position.ts'
import { Done } from '../../http/response.ts'
import { serialOrNull } from '../../parse/serial.ts'
import { presentEvent } from '../../present/event.ts'
import { named } from '../../schemas/fields.ts'
import { Event, EventPage, EventsQuery, eventPageSize } from '../../schemas/webhook.ts'
import type { Context } from '../context.ts'
import { eventPage } from '../event-page.ts'
import type { Routes } from './routes.ts'

export function addEvents(routes: Routes, context: Context): void {
  const { now, eventRetentionMs } = context
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/events',
      scope: 'read',
      tag: 'Events',
      name: 'replayEvents',
      summary: 'Replay events, in ascending order of sequence',
      description:
        'To page, pass lastSequence as since until hasMore is false, and always pass the ' +
        'historyId of the answer: after a restore, the request is then rejected with ' +
        'EVENTS_REWOUND, and no event is missed in silence.',
      query: EventsQuery,
      answer: named(EventPage),
      csv: { field: 'events', row: Event },
      errors: ['EVENTS_REWOUND'],
    },
    async ({ operator, shard, query, reads }) => {
      const { ids } = shard
      const { since = 0, eventType = null, historyId = null } = query
      const page = await eventPage(
        {
          read: (query) => reads().events(query),
          expand: ({ marketSerial, body, ...row }) =>
            expand(ids, {
              ...row,
              operatorId: operator.id,
              marketSerial,
              body: JSON.parse(body) as StoredEventRecord['body'],
            }),
        },
        {
          operatorNumber: operator.number,
          since,
          eventType,
          marketSerial: serialOrNull(ids, query.marketId),
          limit: query.limit ?? eventPageSize,
          notBefore: now() - eventRetentionMs,
        },
      )
      const rewound = rewoundAt({ since, historyId }, page.stored)
      if (rewound !== null) return rewound
      return new Done({
        events: page.events.map((event) => presentEvent(event, eventRetentionMs)),
        hasMore: page.hasMore,
        lastSequence: page.events.at(-1)?.sequence ?? since,
        ...page.stored,
      })
    },
  )
}
