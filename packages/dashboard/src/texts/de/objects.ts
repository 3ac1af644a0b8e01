import type { states as EnglishStates, tags as EnglishTags } from '../en/objects.ts'

/** Parts of pages about a conversation or user. */
export const tags: typeof EnglishTags = {
  name: 'Name',
  value: 'Wert',
  add: 'Hinzufügen',
  remove: (name: string) => `„${name}“ entfernen`,
}
export const states: typeof EnglishStates = {
  none: {
    conversation: 'Der Bot deklariert keine Zustände für Unterhaltungen.',
    user: 'Der Bot deklariert keine Zustände für Nutzer.',
  },
  notSet: 'Nicht gesetzt',
  edit: 'Bearbeiten',
  editOf: (name: string) => `„${name}“ bearbeiten`,
  saved: 'Der Zustand wurde gespeichert',
}
