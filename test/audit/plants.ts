// Corruptions, each with the check that must find it: statements that a healthy database with all
// kinds of records never sees.

export type Plant = {
  readonly check: string
  /** What the statement does to the records. */
  readonly title: string
  readonly sql: string
}

const anOrder = (condition: string) =>
  `serial = (SELECT min(serial) FROM orders WHERE ${condition})`
const aTrade = (condition = '1') => `serial = (SELECT min(serial) FROM trades WHERE ${condition})`
const aPosition = (condition: string) =>
  `serial = (SELECT min(serial) FROM positions WHERE ${condition})`
const market = (status: number) => `(SELECT min(serial) FROM markets WHERE status = ${status})`
const [open, settled, cancelled] = [market(2), market(6), market(7)]
const middle = (table: string, key: string) =>
  `(SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET (SELECT count(*) / 2 FROM ${table}))`
/** A telling to the house with an event of that type, and nothing else behind that event. */
const aTelling = (type: number) =>
  `operator = 1 AND first_sequence = (
     SELECT max(first_sequence) FROM tellings WHERE operator = 1 AND types & (1 << ${type}))`
/** Takes the body of such a telling from another one of the same shape. */
const PLACED = 5

export const plants: readonly Plant[] = [
  {
    check: 'file',
    title: 'an index lost rows',
    sql: `PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'status <= 1', 'status <= 2')
      WHERE name = 'orders_open';`,
  },
  {
    check: 'turn-chain',
    title: 'a turn is missing',
    sql: `DELETE FROM batches WHERE batch = ${middle('batches', 'batch')}`,
  },
  {
    check: 'turn-chain',
    title: 'the head is of another turn',
    sql: 'UPDATE shards SET seq = seq + 1',
  },
  {
    check: 'turn-chain',
    title: 'the head has another hash',
    sql: 'UPDATE shards SET hash = zeroblob(32)',
  },
  {
    check: 'turn-chain',
    title: 'two turns have one hash',
    sql: 'UPDATE batches SET hash = (SELECT hash FROM batches WHERE batch = 2) WHERE batch = 3',
  },
  {
    check: 'turn-chain',
    title: 'a hash is cut short',
    sql: 'UPDATE batches SET hash = zeroblob(3) WHERE batch = 3',
  },
  {
    check: 'turn-epochs',
    title: 'an epoch goes back',
    sql: 'UPDATE batches SET epoch = epoch + 1 WHERE batch = 2',
  },
  {
    check: 'turn-epochs',
    title: 'a turn is of an epoch that was never begun',
    sql: 'UPDATE shards SET epoch = 1',
  },
  {
    check: 'turn-times',
    title: 'a turn went back in time',
    sql: `UPDATE batches SET now = 1 WHERE batch = ${middle('batches', 'batch')}`,
  },
  {
    check: 'head-serials',
    title: 'a serial was never given',
    sql: 'UPDATE shards SET last_serial = last_serial - 1',
  },
  {
    check: 'serials-unique',
    title: 'an order and a trade share a serial',
    sql: `UPDATE orders SET serial = (SELECT max(serial) FROM trades) WHERE ${anOrder('1')}`,
  },
  {
    check: 'market-resolution',
    title: 'an open market is resolved',
    sql: `UPDATE markets SET resolution = '{"payouts":[10000,0,0]}' WHERE serial = ${open}`,
  },
  {
    check: 'market-resolution',
    title: 'a settled market has no resolution',
    sql: `UPDATE markets SET resolution = NULL WHERE serial = ${settled}`,
  },
  {
    check: 'market-resolution',
    title: 'payouts make more than 1',
    sql: `UPDATE markets SET resolution = json_set(resolution, '$.payouts[1]', 1)
      WHERE serial = ${settled}`,
  },
  {
    check: 'market-outcomes',
    title: 'an outcome is gone',
    sql: `DELETE FROM outcomes WHERE market = ${open} AND place = 1`,
  },
  {
    check: 'market-guests',
    title: 'a guest is not listed',
    sql: `DELETE FROM guests WHERE market = ${open}`,
  },
  {
    check: 'market-guests',
    title: 'somebody is listed who never came',
    sql: `INSERT INTO guests (market, operator) VALUES (${open}, 3)`,
  },
  {
    check: 'market-run',
    title: 'a settled market has no run',
    sql: `DELETE FROM runs WHERE market = ${settled}`,
  },
  {
    check: 'market-run',
    title: 'an open market has a run',
    sql: `INSERT INTO runs SELECT ${open}, is_done, run FROM runs WHERE market = ${cancelled}`,
  },
  {
    check: 'market-run',
    title: 'a run is done and says otherwise',
    sql: `UPDATE runs SET run = json_set(run, '$.phase', 'PAYING') WHERE market = ${settled}`,
  },
  {
    check: 'order-shares',
    title: 'more is filled than was asked',
    sql: `UPDATE orders SET filled = shares + 1 WHERE ${anOrder('status = 2')}`,
  },
  {
    check: 'order-status',
    title: 'a filled order is CANCELLED',
    sql: `UPDATE orders SET status = 3 WHERE ${anOrder('status = 2')}`,
  },
  {
    check: 'order-status',
    title: 'a status does not exist',
    sql: `UPDATE orders SET status = 9 WHERE ${anOrder('status = 3')}`,
  },
  {
    check: 'order-fills',
    title: 'an order is a step short of its trades',
    sql: `UPDATE orders SET filled = filled - 1 WHERE ${anOrder('status = 3 AND filled > 1')}`,
  },
  {
    check: 'order-fills',
    title: 'a trade is lost',
    sql: `DELETE FROM trades WHERE ${aTrade()}`,
  },
  {
    check: 'order-cost',
    title: 'a cost is a micro-unit too high',
    sql: `UPDATE orders SET cost = cost + 1 WHERE ${anOrder('filled > 0')}`,
  },
  {
    check: 'order-type',
    title: 'a MARKET order rests',
    sql: `UPDATE orders SET price = 0 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'order-type',
    title: 'a LIMIT order was rejected',
    sql: `UPDATE orders SET price = 5000 WHERE ${anOrder('status = 5')}`,
  },
  {
    check: 'order-key',
    title: 'two orders have one transactionId',
    sql: `UPDATE orders SET transaction_id = 'twice', fingerprint = 1 WHERE operator = 1
      AND serial > (SELECT max(serial) FROM orders) - 20`,
  },
  {
    check: 'order-key',
    title: 'an order and a mint have one transactionId',
    sql: `UPDATE orders SET fingerprint = 1, transaction_id =
        (SELECT transaction_id FROM sets WHERE market = ${open} AND operator = 1 LIMIT 1)
      WHERE serial = (SELECT max(serial) FROM orders WHERE operator = 1)`,
  },
  {
    check: 'order-fingerprint',
    title: 'what was asked under a transactionId is forgotten',
    sql: `UPDATE orders SET fingerprint = 0 WHERE ${anOrder('transaction_id IS NOT NULL')}`,
  },
  {
    check: 'order-expiry',
    title: 'an order expired early',
    sql: `UPDATE orders SET expires_at = updated_at + 1 WHERE ${anOrder('status = 4')}`,
  },
  {
    check: 'order-expiry',
    title: 'a BUY order traded past its expiry',
    sql: `UPDATE orders SET expires_at = created_at WHERE ${anOrder('filled > 0 AND is_sell = 0')}`,
  },
  {
    check: 'order-expiry',
    title: 'a SELL order traded past its expiry',
    sql: `UPDATE orders SET expires_at = created_at WHERE ${anOrder('filled > 0 AND is_sell = 1')}`,
  },
  {
    check: 'order-parents',
    title: 'an order is of no market',
    sql: `UPDATE orders SET market = 999999 WHERE ${anOrder('1')}`,
  },
  {
    check: 'order-times',
    title: 'an order changed before it was made',
    sql: `UPDATE orders SET updated_at = created_at - 1 WHERE ${anOrder('1')}`,
  },
  {
    check: 'book-crossed',
    title: 'a bid stands above the asks',
    sql: `UPDATE orders SET price = 9900 WHERE ${anOrder('status <= 1 AND is_sell = 0')}`,
  },
  {
    check: 'book-ended',
    title: 'an order rests in a settled market',
    sql: `UPDATE orders SET status = 0 WHERE market = ${settled} AND status = 3 AND filled = 0`,
  },
  {
    check: 'book-ended',
    title: 'an order rests in a cancelled market',
    sql: `UPDATE orders SET status = 0 WHERE market = ${cancelled} AND status = 3 AND filled = 0`,
  },
  {
    check: 'book-last-price',
    title: 'a last price is not that of the last trade',
    sql: `UPDATE books SET last_price = last_price + 1 WHERE last_price > 0`,
  },
  {
    check: 'event-sequence',
    title: 'a telling is missing',
    sql: `DELETE FROM tellings WHERE operator = 1 AND first_sequence = ${middle('tellings', 'first_sequence')}
      OR (operator = 2 AND first_sequence = (SELECT max(first_sequence) / 2 FROM tellings))
      OR (operator = 1 AND first_sequence = (SELECT first_sequence FROM tellings
        WHERE operator = 1 ORDER BY first_sequence LIMIT 1 OFFSET 20))`,
  },
  {
    check: 'event-sequence',
    title: 'the last telling is missing',
    sql: `DELETE FROM tellings WHERE operator = 2 AND first_sequence =
      (SELECT max(first_sequence) FROM tellings WHERE operator = 2)`,
  },
  {
    check: 'event-time',
    title: 'an event is older than the one before',
    sql: `UPDATE tellings SET created_at = created_at - 1 WHERE ${aTelling(PLACED)}`,
  },
  {
    check: 'event-time',
    title: 'an event is of the future',
    sql: `UPDATE tellings SET created_at = created_at + 100000 WHERE operator = 2 AND first_sequence =
      (SELECT max(first_sequence) FROM tellings WHERE operator = 2)`,
  },
  {
    check: 'event-body',
    title: 'a body is cut short',
    sql: `UPDATE tellings SET body = json_remove(body, '$[#-1]') WHERE ${aTelling(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a body is no JSON',
    sql: `UPDATE tellings SET body = substr(body, 2) WHERE ${aTelling(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a telling hides one of its types',
    sql: `UPDATE tellings SET types = types & ~(1 << ${PLACED}) WHERE ${aTelling(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a telling is of another market',
    sql: `UPDATE tellings SET market = 999999 WHERE ${aTelling(PLACED)}`,
  },
  {
    check: 'event-books',
    title: 'an open order has fewer shares than the book was told to have',
    sql: `UPDATE orders SET shares = shares - 1 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'event-books',
    title: 'a book is at another version',
    sql: `UPDATE books SET version = version + 1 WHERE outcome =
      (SELECT serial FROM outcomes WHERE market = ${open} AND place = 0)`,
  },
  {
    check: 'event-books',
    title: 'a change of a book was not told',
    sql: `DELETE FROM tellings WHERE operator = 1 AND first_sequence = (SELECT first_sequence
      FROM tellings WHERE operator = 1 AND types & 8 ORDER BY first_sequence LIMIT 1 OFFSET 20)`,
  },
  {
    check: 'event-placed',
    title: 'an order was not told of',
    sql: `DELETE FROM tellings WHERE operator = 1 AND first_sequence = (SELECT first_sequence
      FROM tellings WHERE operator = 1 AND types & 32 ORDER BY first_sequence LIMIT 1 OFFSET 20)`,
  },
  {
    check: 'event-matched',
    title: 'a trade was told at another price',
    sql: `UPDATE trades SET price = price + 1 WHERE ${aTrade()}`,
  },
  {
    check: 'event-matched',
    title: 'a trade that was told of is gone',
    sql: `DELETE FROM trades WHERE ${aTrade()}`,
  },
  {
    check: 'event-closed',
    title: 'an EXPIRED order was told of as CANCELLED',
    sql: `UPDATE orders SET status = 4, expires_at = 1
      WHERE ${anOrder('status = 3 AND filled = 0')}`,
  },
  {
    check: 'event-closed',
    title: 'an order that was told of as closed is open',
    sql: `UPDATE orders SET status = 0 WHERE ${anOrder('status = 3 AND filled = 0')}`,
  },
  {
    check: 'event-owners',
    title: 'an order belongs to somebody else than was told of it',
    sql: `UPDATE orders SET operator = 3 - operator WHERE ${anOrder('1')}`,
  },
  {
    check: 'event-owners',
    title: 'an order was told of under another id',
    sql: `UPDATE orders SET created_at = created_at - 1 WHERE ${anOrder('filled = 0')}`,
  },
  {
    check: 'event-owners',
    title: 'a position belongs to somebody else than was told of it',
    sql: `UPDATE positions SET player_id = 'mallory' WHERE ${aPosition('1')}`,
  },
  {
    check: 'event-owners',
    title: 'a settlement belongs to somebody else than was told of it',
    sql: `UPDATE settlements SET operator = 3 - operator
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'event-positions',
    title: 'a position is not what was told of it last',
    sql: `UPDATE positions SET profit = profit + 1 WHERE ${aPosition('1')}`,
  },
  {
    check: 'event-settlements',
    title: 'a settlement is of more shares than was told',
    sql: `UPDATE settlements SET shares = shares + 1 WHERE serial =
      (SELECT min(serial) FROM settlements WHERE payout_per_share > 0)`,
  },
  {
    check: 'event-markets',
    title: 'a market is in a state that was not told',
    sql: `UPDATE markets SET status = 3 WHERE serial = ${open}`,
  },
  {
    check: 'trade-shares',
    title: 'a trade is of nothing',
    sql: `UPDATE trades SET shares = 0 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'a trade has its orders the wrong way round',
    sql: `UPDATE trades SET buy_order = sell_order, sell_order = buy_order WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'a trade names another operator than its order',
    sql: `UPDATE trades SET buyer = 3 - buyer WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'an order of a trade is gone',
    sql: `DELETE FROM orders WHERE serial = (SELECT min(buy_order) FROM trades)`,
  },
  {
    check: 'trade-price',
    title: 'a trade is not at the price of the resting order',
    sql: `UPDATE trades SET price = price - 1 WHERE ${aTrade('is_sell_incoming = 0')}`,
  },
  {
    check: 'trade-price',
    title: 'a trade is past the limit of the incoming order',
    sql: `UPDATE orders SET price = 1 WHERE serial =
      (SELECT min(buy_order) FROM trades WHERE is_sell_incoming = 0)`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is a step too high',
    sql: `UPDATE trades SET buyer_fee = buyer_fee + 1 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is paid to the payer',
    sql: `UPDATE trades SET seller_fee = -seller_fee WHERE ${aTrade()}`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is more than 100 %',
    sql: `UPDATE trades SET seller_fee = shares * price * 10001 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-window',
    title: 'a trade is from before its market opened',
    sql: `UPDATE trades SET created_at = 1 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-window',
    title: 'a trade is from after its market ended',
    sql: `UPDATE markets SET trading_ends_at = (SELECT max(created_at) FROM trades)
      WHERE serial = ${open}`,
  },
  {
    check: 'trade-after-close',
    title: 'a trade is from after its market was closed',
    sql: `UPDATE trades SET created_at = created_at + 3600000 WHERE serial =
      (SELECT max(serial) FROM trades WHERE market = ${settled})`,
  },
  {
    check: 'market-counters',
    title: 'a market counts a trade too many',
    sql: 'UPDATE market_counters SET trade_count = trade_count + 1',
  },
  {
    check: 'market-counters',
    title: 'a market counts a share too few',
    sql: 'UPDATE market_counters SET volume = volume - 1',
  },
  {
    check: 'market-sets',
    title: 'a market counts sets that nobody minted',
    sql: 'UPDATE market_counters SET sets_minted = sets_minted + 100',
  },
  {
    check: 'tallies',
    title: 'an operator counts an order too many',
    sql: 'UPDATE tallies SET orders = orders + 1 WHERE operator = 1 AND market = 0',
  },
  {
    check: 'tallies',
    title: 'a tally is gone',
    sql: `DELETE FROM tallies WHERE operator = 2 AND market = ${settled}`,
  },
  {
    check: 'candles',
    title: 'a candle opens at another price',
    sql: `UPDATE candles SET open = open + 1
      WHERE minute = (SELECT min(minute) FROM candles) AND open < high`,
  },
  {
    check: 'candles',
    title: 'a candle is gone',
    sql: 'DELETE FROM candles WHERE minute = (SELECT min(minute) FROM candles)',
  },
  {
    check: 'position-shares',
    title: 'a position holds a step more than came to it',
    sql: `UPDATE positions SET shares = shares + 1 WHERE ${aPosition('1')}`,
  },
  {
    check: 'position-holders',
    title: 'a position is gone',
    sql: `DELETE FROM positions WHERE ${aPosition('1')}`,
  },
  {
    check: 'position-cash',
    title: 'a cost is a micro-unit too high',
    sql: `UPDATE positions SET cost = cost + 1 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-cash',
    title: 'a mint is of another size',
    sql: 'UPDATE sets SET shares = shares + 1 WHERE serial = (SELECT min(serial) FROM sets)',
  },
  {
    check: 'position-cost',
    title: 'nothing has a cost',
    sql: `UPDATE positions SET shares = 0 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-cost',
    title: 'a cost is negative',
    sql: `UPDATE positions SET cost = -1 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-reserved',
    title: 'a position has less reserved than is offered',
    sql: `UPDATE positions SET reserved = reserved - 1 WHERE ${aPosition('reserved > 0')}`,
  },
  {
    check: 'offers-held',
    title: 'an order offers what nobody holds',
    sql: `UPDATE orders SET player_id = 'mallory' WHERE ${anOrder('status <= 1 AND is_sell = 1')}`,
  },
  {
    check: 'outcome-shares',
    title: 'one outcome has a share more than the others',
    sql: `UPDATE positions SET shares = shares + 100 WHERE ${aPosition(`market = ${open}`)}`,
  },
  {
    check: 'position-parents',
    title: 'a position is of another market than its outcome',
    sql: `UPDATE positions SET market = ${settled} WHERE ${aPosition(`market = ${open}`)}`,
  },
  {
    check: 'settlement-position',
    title: 'a settlement is of more than was held',
    sql: `UPDATE settlements SET shares = shares + 1
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'settlement-missing',
    title: 'a position was not settled',
    sql: 'DELETE FROM settlements WHERE serial = (SELECT min(serial) FROM settlements)',
  },
  {
    check: 'settlement-missing',
    title: 'a position of an open market was settled',
    sql: `UPDATE settlements SET market = ${open}
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'settlement-payout',
    title: 'the losers are paid',
    sql: `UPDATE settlements SET payout_per_share = 10000
      WHERE serial = (SELECT min(serial) FROM settlements WHERE payout_per_share = 0)`,
  },
  {
    check: 'settlement-status',
    title: 'a settlement has not come to an end',
    sql: 'UPDATE settlements SET status = 1',
  },
  {
    check: 'settlement-sums',
    title: 'a run counts a settlement too many',
    sql: `UPDATE runs SET run = json_set(run, '$.settled', 99) WHERE market = ${settled}`,
  },
  {
    check: 'settlement-sums',
    title: 'more is paid out than was paid in',
    sql: `UPDATE market_counters SET sets_minted = sets_minted - 1 WHERE market = ${settled}`,
  },
  {
    check: 'rules',
    title: 'an open order is of a market that is over',
    sql: `UPDATE orders SET status = 0 WHERE market = ${settled} AND status = 3 AND filled = 0`,
  },
  {
    check: 'rules',
    title: 'a position holds less than nothing',
    sql: `UPDATE positions SET shares = -1 WHERE ${aPosition(`market = ${open}`)}`,
  },
]
