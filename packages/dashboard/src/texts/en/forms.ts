import { inLanguage } from '../in-language.ts'

/** By the English words of the library of forms. */
export const forms = inLanguage('forms', {
  words: {
    'Move up': 'Move up',
    'Move down': 'Move down',
    Copy: 'Copy',
    Remove: 'Remove',
    'clear input': 'clear input',
    Yes: 'Yes',
    No: 'No',
    'Option %1': 'Option %1',
    '%1 option %2': '%1 option %2',
    '%1 Key': '%1 Key',
    'New Value': 'New Value',
  } as Record<string, string>,
})
