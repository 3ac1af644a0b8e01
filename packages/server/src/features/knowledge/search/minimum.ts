// Whether a passage counts for an answer.
import type { ExplainedPassage } from '@botstead/contract'
import { defaultMinScore } from '@botstead/flows'

/** By the minimum score of its knowledge base, or the default of cards. */
export const isAboveMinimum = ({
  score,
  minScore,
}: Pick<ExplainedPassage, 'score' | 'minScore'>) => score >= (minScore ?? defaultMinScore)
