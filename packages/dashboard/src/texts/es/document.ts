// Translations of the English texts of packages/flows, which the page of flows loads.
export { helps } from './bot/helps.ts'
export { problems } from './bot/problems.ts'
