// Scores of passages as texts.

/** A score below the minimum has as many digits as show that it is. */
export function scoreText(score: number, minScore = 0): string {
  const short = score.toFixed(2)
  if (score >= minScore || Number(short) < minScore) return short
  return (Math.floor(score * 1_000) / 1_000).toFixed(3)
}
