import { inLanguage } from '../in-language.ts'

export const filters = inLanguage('filters', {
  label: 'Filters',
  button: (active: number) => (active === 0 ? 'Filters' : `Filters (${active})`),
  clear: 'Clear filters',
  remove: (label: string) => `Remove filter ${label}`,
})
