import type { filters as English } from '../en/filters.ts'

export const filters: typeof English = {
  label: 'フィルター',
  button: (active: number) => (active === 0 ? 'フィルター' : `フィルター（${active}）`),
  clear: 'フィルターを解除',
  remove: (label: string) => `フィルター「${label}」を解除`,
}
