import type { languages as English } from '../../en/bot/languages.ts'
import { amount } from '../amount.ts'

const translations = (count: number) => amount(count, 'traducción', 'traducciones')

export const languages: typeof English = {
  shown: 'Idiomas',
  all: 'Todos los idiomas',
  filter: 'Mostrar',
  kinds: { all: 'Todos los textos', missing: 'Sin traducir', outdated: 'Por revisar' },
  nothingFound: 'Ningún texto coincide',
  originalIn: (language) => `${language} (original)`,
  counts: (missing, outdated) =>
    missing + outdated === 0
      ? 'Completo'
      : [missing && `${missing} sin traducir`, outdated && `${outdated} por revisar`]
          .filter(Boolean)
          .join(', '),
  states: { missing: 'Sin traducir', outdated: 'Por revisar: el original ha cambiado' },
  confirm: 'Sigue siendo correcto',
  confirmIn: (language, place) =>
    `Sigue siendo correcto: texto en ${place} (${language})`,
  standard: 'Frases estándar',
  textIn: (place) => `Texto en ${place}`,
  translationIn: (language, place) => `Texto en ${place} (${language})`,
  required: 'El original no puede estar vacío.',
  preview: (language) => `Probar el bot (${language})`,
  // Languages.
  add: 'Añadir idioma',
  addTitle: 'Añadir un idioma',
  first: 'Idioma de los textos actuales',
  firstHint: 'Los leen las personas cuyo idioma no tiene el bot.',
  language: 'Nuevo idioma',
  addText:
    'Los textos de los asistentes se traducen enseguida si los asistentes conocen el idioma. ' +
    'Traduzca los demás y publique.',
  fillIn: 'Completar con las traducciones de los asistentes',
  filledIn: (texts: number, words: number) =>
    `Añadidos: ${amount(texts, 'texto')}` +
    (words > 0
      ? `, y palabras de los visitantes en ${amount(words, 'lugar', 'lugares')}`
      : ''),
  remove: 'Quitar idioma',
  removeTitle: (language) => `¿Quitar el idioma (${language})?`,
  removeText: (count) =>
    `Se ${count === 1 ? 'eliminará' : 'eliminarán'} ${translations(count)} del borrador.`,
  // Files.
  export: 'Exportar',
  exportCsv: 'Todos los idiomas para una hoja de cálculo (CSV)',
  exportXliff: (language) => `${language} para traductores (XLIFF 1.2)`,
  import: 'Importar',
  importTitle: 'Importar traducciones',
  importText:
    'Elija un archivo que haya exportado aquí. Verá todos los cambios antes de que se apliquen.',
  importFile: 'Archivo CSV o XLIFF',
  compare: 'Mostrar los cambios',
  apply: (count) => `Aplicar ${amount(count, 'cambio')}`,
  imported: (count) => amount(count, 'traducción importada', 'traducciones importadas'),
  planned: (changes, same) =>
    `${amount(changes, 'cambio')}. ${amount(same, 'texto')} del archivo sin cambios.`,
  changes: 'Cambios',
  planOutdated: 'El original ha cambiado desde entonces: por revisar.',
  planVariables: 'Las variables no son las del original.',
  unknown: 'No se importa: el bot no tiene ese texto o idioma',
  more: (count) => `Y ${count} más.`,
  fileTooLarge: 'El archivo ocupa más de 20 MB',
  fileRejected: 'No se puede leer el archivo',
  // For people who may only edit texts.
  pageTitle: 'Textos',
  publishHint: 'Sus compañeros publican los cambios.',
}
