// Reproducible random numbers: `SEED=… npx vitest run <file>` repeats a run with the printed seed.
export const seed = Number(process.env.SEED) || Math.floor(Math.random() * 2 ** 31)

export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  between(least: number, most: number): number
}

/** Mulberry32, which is sufficient for tests. */
export function createRandom(from = seed): Random {
  let state = from >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, between: (least, most) => least + next() * (most - least) }
}
