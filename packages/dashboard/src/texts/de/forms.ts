import type { forms as English } from '../en/forms.ts'

/** By the English words of the library of forms. */
export const forms: typeof English = {
  words: {
    'Move up': 'Nach oben',
    'Move down': 'Nach unten',
    Copy: 'Kopieren',
    Remove: 'Entfernen',
    'clear input': 'Eingabe leeren',
    Yes: 'Ja',
    No: 'Nein',
    'Option %1': 'Option %1',
    '%1 option %2': '%1: Option %2',
    '%1 Key': '%1: Schlüssel',
    'New Value': 'Neuer Wert',
  },
}
