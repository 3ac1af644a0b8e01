// Translations of the English texts of packages/flows, which the page of flows loads.

export { problems } from './bot/problems.ts'
export { helps } from './bot/studio/helps.ts'
