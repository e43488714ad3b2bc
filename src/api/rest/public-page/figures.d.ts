// The types of figures.js, which is JavaScript because browsers load it, too.

import type { MarketStatus } from '../../../core/words.ts'
import type { PublicMarket } from '../../schemas/public-market.ts'

export const statusWords: Readonly<Record<MarketStatus, string>>
export function chanceOf(outcome: PublicMarket['outcomes'][number]): string
export function priceText(price: number | null): string
export function grouped(decimal: string): string
