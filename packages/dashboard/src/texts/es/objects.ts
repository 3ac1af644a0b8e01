import type { states as EnglishStates, tags as EnglishTags } from '../en/objects.ts'

export const tags: typeof EnglishTags = {
  name: 'Nombre',
  value: 'Valor',
  add: 'Añadir',
  remove: (name) => `Quitar ${name}`,
}
export const states: typeof EnglishStates = {
  none: {
    conversation: 'El bot no declara estados de conversaciones.',
    user: 'El bot no declara estados de usuarios.',
  },
  notSet: 'Sin valor',
  edit: 'Editar',
  editOf: (name) => `Editar ${name}`,
  saved: 'Estado guardado',
}
