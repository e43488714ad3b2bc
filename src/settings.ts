// A setting as the tables of settings list it, and how its value is read from the environment.

import type { Kind } from './setting-kinds.ts'

/** Its message is one line: the setting, what is expected, and its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Setting<Value = unknown> = Kind<Value> & {
  readonly name: string
  /** The default, as one would write it; null if there is none. */
  readonly fallback: string | null
  readonly meaning: string
}

export type Env = Readonly<Record<string, string | undefined>>

const shownValueMax = 80

export function valueIn<Value>(
  env: Env,
  setting: Setting<Value> & { readonly fallback: string },
): Value {
  return parsed(setting, textIn(env, setting) ?? setting.fallback)
}

export function optionalValueIn<Value>(env: Env, setting: Setting<Value>): Value | null {
  const text = textIn(env, setting)
  return text === null ? null : parsed(setting, text)
}

export function textIn(env: Env, { name, fallback }: Setting): string | null {
  return env[name] || fallback
}

function parsed<Value>(setting: Setting<Value>, text: string): Value {
  const value = setting.read(text)
  const { name, expected } = setting
  if (value !== null) {
    const problem = setting.conflict?.(text) ?? null
    if (problem !== null) throw new ConfigError(`${name} must ${problem}.`)
    return value
  }
  throw new ConfigError(`${name} must be ${expected}, got ${shownValue(setting, text)}.`)
}

export function conflict(env: Env, one: Setting, other: Setting, relation: string): ConfigError {
  const [value, bound] = [one, other].map((each) => shownValue(each, textIn(env, each) ?? ''))
  return new ConfigError(`${one.name} must ${relation} ${other.name} (${bound}), got ${value}.`)
}

function shownValue({ isSecret = false }: Setting, text: string): string {
  if (isSecret) return `a secret text of ${text.length} characters`
  return JSON.stringify(text.length > shownValueMax ? `${text.slice(0, shownValueMax)}...` : text)
}

export function optional<Value>(name: string, kind: Kind<Value>, meaning: string) {
  return { name, fallback: null, meaning, ...kind }
}

export function withDefault<Value>(
  name: string,
  fallback: string,
  kind: Kind<Value>,
  meaning: string,
) {
  return { name, fallback, meaning, ...kind }
}
