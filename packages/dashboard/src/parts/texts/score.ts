// Scores of passages as texts.
import { language } from '../../texts/in-language.ts'

/** A score below the minimum has as many digits as show that it is. */
export function scoreText(score: number, minScore = 0): string {
  const short = Number(score.toFixed(2))
  if (score >= minScore || short < minScore) return toDecimals(short, 2)
  return toDecimals(Math.floor(score * 1_000) / 1_000, 3)
}

const toDecimals = (value: number, digits: number) =>
  value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
