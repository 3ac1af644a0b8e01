import type { states as EnglishStates, tags as EnglishTags } from '../en/objects.ts'

export const tags: typeof EnglishTags = {
  name: 'Nom',
  value: 'Valeur',
  add: 'Ajouter',
  remove: (name) => `Retirer ${name}`,
}
export const states: typeof EnglishStates = {
  none: {
    conversation: 'Le bot ne déclare aucun état de conversation.',
    user: 'Le bot ne déclare aucun état d’utilisateur.',
  },
  notSet: 'Non défini',
  edit: 'Modifier',
  editOf: (name) => `Modifier ${name}`,
  saved: 'L’état a été enregistré',
}
