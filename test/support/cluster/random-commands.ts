// Random commands, answers and rejections of every kind, as the codecs of a link must keep them.

import { linearFees } from '../../../src/core/fee.ts'
import type { FeeRate } from '../../../src/core/money.ts'
import { sides } from '../../../src/core/words.ts'
import type { CommandKind, Commands } from '../../../src/engine/commands.ts'
import { Random } from '../process/random.ts'
import { type AnswerMakers, answerMakers } from './random-answers.ts'
import { type RejectMakers, rejectMakers } from './random-rejects.ts'
import { controlsTerms, type Makers, Values } from './random-values.ts'

type CommandMakers = Makers<{ [Kind in CommandKind]: Commands[Kind]['command'] }>

export type RandomCommands = {
  readonly random: Random
  readonly commands: CommandMakers
  readonly answers: AnswerMakers
  readonly rejects: RejectMakers
}

export function randomCommands(seed: number): RandomCommands {
  const random = new Random(seed)
  const values = new Values(random)
  return {
    random,
    commands: commandMakers(values),
    answers: answerMakers(values),
    rejects: rejectMakers(values),
  }
}

function commandMakers(v: Values): CommandMakers {
  const ofMarket = () => ({ operatorId: v.id(), marketSerial: v.serial() })
  const deadMan = () => ({ operatorId: v.id(), playerId: v.orNull(v.text) })
  const text = () => ({
    title: v.text(),
    categoryId: v.orNull(v.id),
    tradingStartsAt: v.orNull(v.number),
    tradingEndsAt: v.orNull(v.number),
    description: v.orNull(v.text),
    imageUrl: v.orNull(v.text),
    metadata: v.orNull(v.text),
  })
  const preview = () => ({
    ...ofMarket(),
    outcomeSerial: v.serial(),
    playerId: v.text(),
    side: v.of(sides),
    type: v.of(['LIMIT', 'MARKET'] as const),
    shares: v.shares(),
    ...v.maybe(() => ({ amount: v.number() })),
    price: v.orNull(v.price),
    expiresAt: v.orNull(v.number),
    options: v.options(),
  })
  return {
    place: () => ({
      ...preview(),
      transactionId: v.orNull(v.text),
      ...v.maybe(() => ({ orderGroupSerial: v.serial() })),
    }),
    cancel: () => ({ operatorId: v.id(), orderSerial: v.serial() }),
    cancelMany: () => ({ operatorId: v.id(), orderSerials: v.list(v.serial) }),
    queue: () => ({ operatorId: v.id(), orderSerials: v.list(v.serial) }),
    armDeadMan: () => ({ ...deadMan(), timeoutMs: v.number() }),
    clearDeadMan: deadMan,
    deadMan,
    ...groupCommands(v),
    amend: () => ({
      operatorId: v.id(),
      orderSerial: v.serial(),
      shares: v.orNull(v.shares),
      price: v.orNull(v.price),
    }),
    changeSets: () => ({
      ...ofMarket(),
      kind: v.of(['MINT', 'REDEEM'] as const),
      playerId: v.text(),
      shares: v.shares(),
      transactionId: v.orNull(v.text),
    }),
    createMarket: () => ({
      operatorId: v.id(),
      ...text(),
      currency: v.text(),
      outcomes: v.orNull(() => v.list(() => ({ name: v.text(), description: v.orNull(v.text) }))),
      isShared: v.bool(),
      hasCompleteSetMatching: v.bool(),
      feeSchedule: v.orNull(() => linearFees(v.number() as FeeRate)),
      priceBand: v.orNull(() => ({ maxMove: v.number(), suspendOnBand: v.bool() })),
    }),
    editMarket: () => ({
      ...ofMarket(),
      changes: v.maybe(() => ({ title: v.text(), description: v.orNull(v.text) })),
    }),
    changeControls: changeControlsMaker(v),
    changeTradingWindow: () => ({
      ...ofMarket(),
      tradingEndsAt: v.number(),
      reason: v.text(),
    }),
    manage: manageMaker(v),
    settle: ofMarket,
    retrySettlements: ofMarket,
    acknowledge: () => ({
      operatorId: v.id(),
      settlementSerial: v.serial(),
      transactionId: v.text(),
      status: v.of(['COMPLETED', 'FAILED'] as const),
      errorMessage: v.orNull(v.text),
    }),
    preview,
    book: () => ({
      marketSerial: v.serial(),
      outcomeSerial: v.serial(),
      depth: v.number(),
      ...v.maybe(() => ({ withImplied: v.bool() })),
    }),
    prices: () => ({ marketSerial: v.serial(), outcomeSerial: v.orNull(v.serial) }),
  }
}

function changeControlsMaker(v: Values): CommandMakers['changeControls'] {
  return () => ({
    operatorId: v.orNull(v.id),
    holder: v.of([
      { kind: 'EXCHANGE' },
      { kind: 'OPERATOR', operatorId: v.id() },
      { kind: 'PLAYER', operatorId: v.id(), playerId: v.text() },
    ] as const),
    ...controlsTerms(v),
    cancelsOrders: v.bool(),
    ...v.maybe(() => ({ version: v.number() })),
  })
}

function manageMaker(v: Values): CommandMakers['manage'] {
  return () => {
    const resolve = { action: 'resolve' as const, source: v.text(), notes: v.orNull(v.text) }
    const payouts = v.list(() => ({ outcomeSerial: v.serial(), payoutPerShare: v.number() }))
    return {
      operatorId: v.id(),
      marketSerial: v.serial(),
      ...v.of([
        { action: 'open' as const },
        { action: 'suspend' as const, reason: v.text() },
        { ...resolve, winningOutcomeSerial: v.serial() },
        { ...resolve, payouts },
      ]),
    }
  }
}

function groupCommands(v: Values) {
  const group = () => ({ operatorId: v.id(), groupSerial: v.serial() })
  return {
    createOrderGroup: () => ({
      operatorId: v.id(),
      playerId: v.text(),
      limitShares: v.shares(),
      windowMs: v.number(),
    }),
    limitOrderGroup: () => ({ ...group(), limitShares: v.shares() }),
    triggerOrderGroup: group,
    resetOrderGroup: group,
    deleteOrderGroup: group,
    orderGroup: group,
    orderGroups: () => ({
      operatorId: v.id(),
      playerId: v.orNull(v.text),
      after: v.orNull(v.serial),
      limit: v.number(),
    }),
  }
}
