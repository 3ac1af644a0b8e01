import type { filters as English } from '../en/filters.ts'

export const filters: typeof English = {
  label: 'Filtros',
  button: (active) => (active === 0 ? 'Filtros' : `Filtros (${active})`),
  clear: 'Quitar filtros',
  remove: (label) => `Quitar el filtro ${label}`,
}
