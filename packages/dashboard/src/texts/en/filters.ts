export const filters = {
  label: 'Filters',
  button: (active: number) => (active === 0 ? 'Filters' : `Filters (${active})`),
  clear: 'Clear filters',
  remove: (label: string) => `Remove filter ${label}`,
}
