// A running service, an operator, and clients with its keys.

import { type ClientOptions, OutcryClient } from '../../client/src/outcry.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { adminKey, Service, type ServiceOptions } from '../support/process/outcry-process.ts'

export class ClientFixture {
  readonly service: Service
  readonly operatorId: string
  readonly apiKey: string
  readonly client: OutcryClient

  private constructor(service: Service, { id, key }: { id: string; key: string }) {
    this.service = service
    this.operatorId = id
    this.apiKey = key
    this.client = this.clientOf()
  }

  static async open(options: ServiceOptions = {}): Promise<ClientFixture> {
    const service = await Service.start(options)
    return new ClientFixture(service, await service.newOperator())
  }

  clientOf(more: Partial<ClientOptions> = {}): OutcryClient {
    const { apiKey } = this
    return new OutcryClient({ baseUrl: this.service.url, apiKey, adminKey, ...more })
  }

  /** Opens a market of two outcomes in which the player ann holds 1,000 complete sets. */
  async market() {
    const operator = new OperatorClient(this.service, { id: this.operatorId, key: this.apiKey })
    const { id, outcomes } = await operator.marketWithHolders({ ann: 1_000 })
    const [yes, no]: readonly { readonly id: string }[] = outcomes
    if (yes === undefined || no === undefined) throw new Error('Expected a market of two outcomes.')
    return { marketId: String(id), outcomeId: yes.id, otherId: no.id }
  }

  async close(): Promise<void> {
    await this.service.stop()
  }
}

type MarketRef = { readonly marketId: string; readonly outcomeId: string }

export function limit(
  { marketId, outcomeId }: MarketRef,
  side: 'BUY' | 'SELL',
  { price = 0.5, shares = 10, playerId = side === 'BUY' ? 'bob' : 'ann' } = {},
) {
  return { marketId, outcomeId, playerId, side, type: 'LIMIT', shares, price } as const
}
