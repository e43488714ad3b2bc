// A hash of plain values, for comparing states: 64 bits, the same on every machine.

export class Hash {
  private a = 0x243f6a88
  private b = 0x85a308d3

  add(value: string | number | bigint | boolean | null): void {
    this.mix(tagOf(value))
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      this.mix(value | 0)
      this.mix(Math.floor(value / 2 ** 32))
      return
    }
    const text = String(value)
    this.mix(text.length)
    for (let at = 0; at < text.length; at += 1) this.mix(text.charCodeAt(at))
  }

  get text(): string {
    return half(this.a) + half(this.b)
  }

  private mix(bits: number): void {
    this.a = Math.imul(this.a ^ bits, 0x9e3779b1) ^ (this.b >>> 13)
    this.b = Math.imul(this.b ^ (this.a >>> 15), 0x85ebca77) + bits
  }
}

// Keeps apart what looks alike as text: null and 'null', 1n and '1'.
function tagOf(value: string | number | bigint | boolean | null): number {
  if (value === null) return 0
  return ['number', 'string', 'bigint', 'boolean'].indexOf(typeof value) + 1
}

export function hashOfText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

function half(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0')
}
