import type { languages as English } from '../../en/bot/languages.ts'
import { amount, plural, thousands } from '../amount.ts'

/** Texts of a bot in several languages. */
export const languages: typeof English = {
  shown: 'Langues',
  all: 'Toutes les langues',
  filter: 'Afficher',
  kinds: { all: 'Tous les textes', missing: 'Non traduits', outdated: 'À vérifier' },
  nothingFound: 'Aucun texte ne correspond',
  originalIn: (language) => `${language} (original)`,
  counts: (missing, outdated) =>
    missing + outdated === 0
      ? 'Complet'
      : [
          missing && `${thousands(missing)} ${plural(missing, 'manquant')}`,
          outdated && `${thousands(outdated)} à vérifier`,
        ]
          .filter(Boolean)
          .join(', '),
  states: { missing: 'Manquant', outdated: 'À vérifier : l’original a changé' },
  confirm: 'Toujours correct',
  confirmIn: (language, place) => `Toujours correct : ${place} (${language})`,
  standard: 'Phrases standard',
  textIn: (place) => `Texte : ${place}`,
  translationIn: (language, place) => `Texte (${language}) : ${place}`,
  required: 'L’original ne peut pas être vide.',
  preview: (language) => `Essayer le bot (${language})`,
  add: 'Ajouter une langue',
  addTitle: 'Ajouter une langue',
  first: 'Langue des textes actuels',
  firstHint: 'Les personnes dont le bot n’a pas la langue lisent ces textes.',
  language: 'Nouvelle langue',
  addText:
    'Les textes des assistants sont traduits tout de suite, si les assistants connaissent la langue. ' +
    'Traduisez les autres, puis publiez.',
  fillIn: 'Reprendre les traductions des assistants',
  filledIn: (texts: number, words: number) =>
    `Ajoutés : ${amount(texts, 'texte')}` +
    (words > 0 ? `, et mots des visiteurs à ${amount(words, 'endroit')}` : ''),
  remove: 'Retirer une langue',
  removeTitle: (language) => `Retirer cette langue : ${language} ?`,
  removeText: (count) =>
    `${amount(count, 'traduction sera supprimée', 'traductions seront supprimées')} du brouillon.`,
  export: 'Exporter',
  exportCsv: 'Toutes les langues pour un tableur (CSV)',
  exportXliff: (language) => `${language}, pour traducteurs (XLIFF 1.2)`,
  import: 'Importer',
  importTitle: 'Importer des traductions',
  importText:
    'Choisissez un fichier que vous avez exporté ici. Vous verrez toutes les modifications avant ' +
    'de les appliquer.',
  importFile: 'Fichier CSV ou XLIFF',
  compare: 'Afficher les modifications',
  apply: (count) => `Appliquer ${amount(count, 'modification')}`,
  imported: (count) => amount(count, 'traduction importée', 'traductions importées'),
  planned: (changes, same) =>
    `${amount(changes, 'modification')}. Textes du fichier déjà identiques : ${thousands(same)}.`,
  changes: 'Modifications',
  planOutdated: 'L’original a changé depuis : à vérifier.',
  planVariables: 'Les variables ne sont pas celles de l’original.',
  unknown: 'Non importé : le bot n’a pas ce texte ou cette langue',
  more: (count) => `Et ${amount(count, 'autre')}.`,
  fileTooLarge: 'Le fichier dépasse 20 Mo',
  fileRejected: 'Impossible de lire le fichier',
  // For people who may only edit texts.
  pageTitle: 'Textes',
  publishHint: 'Vos collègues publient les modifications.',
}
