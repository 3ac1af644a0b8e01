// Estimates the similarity of a question and a vector of which only the signs are read: the sum of the
// question's dimensions where the vector is positive. The question is rounded to four bits, so that
// PostgreSQL computes the sum by counting bits. Among 60,000 passages about few topics, the 500 best
// estimates had all of the ten nearest; comparing signs with signs, they had 98 %.
import { type RawBuilder, sql } from 'kysely'

const bits = 4
const highest = 2 ** (bits - 1) - 1
/** Larger values are cut: they are rare, and smaller ones would lose precision. */
const maxDeviations = 2.5

/** Returns an expression of `signs`, a bit string of the same length. The scale has no meaning. */
export function estimateSimilarity(
  signs: RawBuilder<unknown> | ReturnType<typeof sql.ref>,
  vector: Float32Array,
): RawBuilder<number> {
  const rounded = roundValues(vector)
  const counts = Array.from({ length: bits }, (_, bit) => {
    const plane = Array.from(rounded, (value) => (value >> bit) & 1).join('')
    // In two's complement, the highest bit counts as negative.
    const weight = bit === bits - 1 ? -(2 ** bit) : 2 ** bit
    return sql`${sql.lit(weight)} * bit_count(${signs} & ${plane}::varbit)`
  })
  return sql`(${sql.join(counts, sql` + `)})`
}

function roundValues(vector: Float32Array): Int8Array {
  const squares = vector.reduce((sum, value) => sum + value * value, 0)
  const scale = highest / (maxDeviations * Math.sqrt(squares / vector.length) || 1)
  return Int8Array.from(vector, (value) =>
    Math.max(-highest - 1, Math.min(highest, Math.round(value * scale))),
  )
}
