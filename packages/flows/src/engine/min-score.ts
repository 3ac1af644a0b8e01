/** Passages with a lower score do not answer, unless a knowledge base or a card has another minimum. */
export const defaultMinScore = 0.35
