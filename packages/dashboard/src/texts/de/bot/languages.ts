import type { languages as English } from '../../en/bot/languages.ts'
import { amount, plural, thousands } from '../amount.ts'

/** Texts of a bot in several languages. */
export const languages: typeof English = {
  shown: 'Sprachen',
  all: 'Alle Sprachen',
  filter: 'Anzeigen',
  kinds: { all: 'Alle Texte', missing: 'Nicht übersetzt', outdated: 'Zu prüfen' },
  nothingFound: 'Kein Text passt',
  originalIn: (language: string) => `${language} (Original)`,
  counts: (missing: number, outdated: number) =>
    missing + outdated === 0
      ? 'Vollständig'
      : [
          missing && `${missing} ${plural(missing, 'fehlt', 'fehlen')}`,
          outdated && `${outdated} zu prüfen`,
        ]
          .filter(Boolean)
          .join(', '),
  states: { missing: 'Fehlt', outdated: 'Zu prüfen: Das Original hat sich geändert' },
  confirm: 'Noch richtig',
  confirmIn: (language: string, place: string) =>
    `Noch richtig: Text in ${place} (${language})`,
  standard: 'Standardsätze',
  textIn: (place: string) => `Text in ${place}`,
  translationIn: (language: string, place: string) => `Text in ${place} (${language})`,
  required: 'Das Original darf nicht leer sein.',
  preview: (language: string) => `Bot ausprobieren (${language})`,
  // Languages.
  add: 'Sprache hinzufügen',
  addTitle: 'Sprache hinzufügen',
  first: 'Sprache der vorhandenen Texte',
  firstHint: 'Wessen Sprache der Bot nicht hat, liest diese Texte.',
  language: 'Neue Sprache',
  addText:
    'Texte der Assistenten werden sofort übersetzt, wenn die Assistenten die Sprache kennen. ' +
    'Übersetzen Sie die übrigen, und veröffentlichen Sie dann.',
  fillIn: 'Einsetzen, was die Assistenten wissen',
  filledIn: (texts: number, words: number) =>
    `Eingesetzt: ${amount(texts, 'Text', 'Texte')}` +
    (words > 0
      ? `, und Wörter der Besucher an ${amount(words, 'Stelle', 'Stellen')}`
      : ''),
  remove: 'Sprache entfernen',
  removeTitle: (language: string) => `${language} entfernen?`,
  removeText: (count: number) =>
    `${amount(count, 'Übersetzung wird', 'Übersetzungen werden')} aus dem Entwurf gelöscht.`,
  // Files.
  export: 'Exportieren',
  exportCsv: 'Alle Sprachen, als Tabelle (CSV)',
  exportXliff: (language: string) => `${language}, für Übersetzer (XLIFF 1.2)`,
  import: 'Importieren',
  importTitle: 'Übersetzungen importieren',
  importText:
    'Wählen Sie eine Datei, die Sie hier exportiert haben. Sie sehen alle Änderungen, bevor sie ' +
    'gelten.',
  importFile: 'CSV- oder XLIFF-Datei',
  compare: 'Änderungen anzeigen',
  apply: (count: number) => `${amount(count, 'Änderung', 'Änderungen')} übernehmen`,
  imported: (count: number) =>
    `${amount(count, 'Übersetzung', 'Übersetzungen')} importiert`,
  planned: (changes: number, same: number) =>
    `${amount(changes, 'Änderung', 'Änderungen')}. Unverändert: ${amount(same, 'Text', 'Texte')} ` +
    'der Datei.',
  changes: 'Änderungen',
  planOutdated: 'Das Original hat sich seitdem geändert: zu prüfen.',
  planVariables: 'Andere Variablen als im Original.',
  unknown: 'Nicht importiert: Der Bot hat diesen Text oder diese Sprache nicht',
  more: (count: number) => `Und ${thousands(count)} weitere.`,
  fileTooLarge: 'Die Datei hat mehr als 20 MB',
  fileRejected: 'Die Datei ist nicht lesbar',
  // For people who may only edit texts.
  pageTitle: 'Texte',
  publishHint: 'Ihre Kolleginnen und Kollegen veröffentlichen die Änderungen.',
}
