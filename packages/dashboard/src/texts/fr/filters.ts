import type { filters as English } from '../en/filters.ts'

export const filters: typeof English = {
  label: 'Filtres',
  button: (active) => (active === 0 ? 'Filtres' : `Filtres (${active})`),
  clear: 'Effacer les filtres',
  remove: (label) => `Retirer le filtre ${label}`,
}
