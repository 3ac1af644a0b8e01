import type { search as English } from '../en/search.ts'
import { amount } from './amount.ts'

export const search: typeof English = {
  title: 'Buscar',
  label: 'Buscar páginas, bots, usuarios y conversaciones',
  labelOfWorkspace: 'Buscar páginas y bots',
  findBot: 'Buscar un bot',
  keys: '↑ ↓ para elegir, Intro para abrir, Esc para cerrar',
  searching: 'Buscando…',
  found: (count) => (count === 0 ? 'Sin resultados' : amount(count, 'resultado')),
  pages: 'Páginas',
  workspace: 'Espacio de trabajo',
  knowledge: {
    websites: 'Sitios web',
    answers: 'Respuestas',
    unanswered: 'Sin respuesta',
    search: 'Probar una pregunta',
    checks: 'Comprobación',
  },
}
