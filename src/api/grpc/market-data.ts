// MarketDataService: the book of an outcome, once or after each change.

import { Refusal } from '../errors.ts'
import { BookStream } from './book-stream.ts'
import { Books } from './books.ts'
import type { Calls } from './calls.ts'
import type { GrpcContext } from './context.ts'
import { MarketDataServiceService as service } from './generated/outcry/v1/outcry.ts'

/** Books are encoded once for all callers. */
const responseSerialize = (bytes: Buffer) => bytes
const getOrderBook = { ...service.getOrderBook, responseSerialize }
const streamOrderBook = { ...service.streamOrderBook, responseSerialize }

export function addMarketData(calls: Calls, context: GrpcContext): void {
  const { outbox, shards } = context
  const books = new Books(shards, outbox)

  calls.public(getOrderBook, async (request) => {
    const book = await books.query(request)
    return book instanceof Refusal ? book : book.bytes
  })

  calls.publicStream(streamOrderBook, (call, query) => {
    const refusalOf = (error: unknown) => calls.refusalOf(error, streamOrderBook.path)
    return new BookStream({ query, books, outbox, call, refusalOf })
  })
}
