import type { forms as English } from '../en/forms.ts'

/** By the English words of the library of forms. */
export const forms: typeof English = {
  words: {
    'Move up': 'Monter',
    'Move down': 'Descendre',
    Copy: 'Copier',
    Remove: 'Retirer',
    'clear input': 'vider le champ',
    Yes: 'Oui',
    No: 'Non',
    'Option %1': 'Option %1',
    '%1 option %2': '%1 : option %2',
    '%1 Key': 'Clé (%1)',
    'New Value': 'Nouvelle valeur',
  },
}
