import type { filters as English } from '../en/filters.ts'

export const filters: typeof English = {
  label: 'Filtros',
  button: (active: number) => (active === 0 ? 'Filtros' : `Filtros (${active})`),
  clear: 'Limpar filtros',
  remove: (label: string) => `Remover filtro: ${label}`,
}
