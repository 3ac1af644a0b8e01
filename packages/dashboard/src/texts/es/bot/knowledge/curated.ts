import type { CuratedMatch } from '@botstead/contract'
import type {
  checks as EnglishChecks,
  curated as EnglishCurated,
  unanswered as EnglishUnanswered,
} from '../../../en/bot/knowledge/curated.ts'
import { amount, decimal, thousands } from '../../amount.ts'

const kinds: Record<CuratedMatch['kind'], string> = {
  equal: 'son las mismas palabras',
  words: 'son las mismas palabras en otras formas',
  misspelt: 'son las mismas palabras, con una mal escrita',
}

export const curated: typeof EnglishCurated = {
  title: 'Respuestas',
  hint:
    'Cuando una persona hace una de estas preguntas, el bot envía esta respuesta tal como usted la ' +
    'escribió, antes de recurrir a documentos y modelos. El bot reconoce otras formas de las palabras y ' +
    'los errores de escritura; para otras palabras, añada otra pregunta a la respuesta.',
  empty: 'Aún no hay respuestas',
  emptyHint: 'Escriba la respuesta a una pregunta frecuente.',
  emptyReader: 'Nadie ha escrito todavía una respuesta.',
  noMatch: 'Ninguna respuesta coincide',
  search: 'Buscar',
  searchHint: 'Palabras de preguntas o respuestas',
  new: 'Nueva respuesta',
  newTitle: 'Nueva respuesta',
  edit: 'Cambiar la respuesta',
  editOne: (question) => `Cambiar la respuesta a «${question}»`,
  deleteOne: (question) => `Eliminar la respuesta a «${question}»`,
  deleteText: 'El bot deja de enviar esta respuesta. No se puede deshacer.',
  delete: 'Eliminar',
  deleted: 'Respuesta eliminada',
  saved: 'Respuesta guardada. El bot la usa desde ahora',
  questions: 'Preguntas',
  questionsHint:
    'Una por línea, tal como pregunta la gente. El bot reconoce otras formas de estas palabras y los ' +
    'errores de escritura. La misma pregunta con otras palabras necesita otra línea: 20 como máximo.',
  tooMany: 'Una respuesta admite 20 preguntas como máximo.',
  tooLong: 'Una pregunta tiene 300 caracteres como máximo.',
  answer: 'Respuesta',
  more: 'Botones, imagen, idioma y periodo',
  buttons: 'Botones debajo de la respuesta',
  buttonsHint:
    'Uno por línea. Al pulsarlo se envía el texto del botón. Para enviar otro texto, escriba: Sí = Quiero ' +
    'hacer un pedido',
  picture: 'Dirección de una imagen',
  pictureHint: 'Se envía antes de la respuesta. Empieza con https://',
  language: 'Idioma de las preguntas',
  languageHint: 'Vacío: el servidor lo reconoce por las palabras.',
  base: 'Solo para',
  allBases: 'Todas las bases de conocimientos',
  validFrom: 'Primer día',
  validTo: 'Último día',
  period: 'El último día es anterior al primero.',
  changed: 'Cambio',
  notNow: 'Ahora no se usa',
  moreQuestions: (count) => `y ${amount(count, 'pregunta')} más`,
  export: 'Exportar como CSV',
  import: 'Importar desde CSV',
  importText:
    'Una tabla con las columnas «questions» y «answer». Varias preguntas de una respuesta son líneas de ' +
    'una misma celda. Una exportación muestra todas las columnas. Las filas con un «id» cambian la ' +
    'respuesta que tiene ese id.',
  importFile: 'Elija el archivo CSV',
  imported: (created, updated, unchanged) =>
    `Añadidas: ${thousands(created)}; cambiadas: ${thousands(updated)}; sin cambios: ` +
    `${thousands(unchanged)}.`,
  rejected: (count) =>
    `${amount(count, 'fila no se pudo', 'filas no se pudieron')} importar:`,
  rejectedRow: ({ line, message }) => `Línea ${thousands(line)}: ${message}`,
  file: 'respuestas.csv',
  found: 'El bot envía una respuesta suya',
  foundHint: ({ question, kind }) =>
    `No busca en los documentos. Coincide con la pregunta «${question}»: ${kinds[kind]}.`,
  fromConversation: 'Guardar como respuesta',
  fromConversationOne: (time) => `Guardar como respuesta el mensaje del ${time}`,
}

export const unanswered: typeof EnglishUnanswered = {
  title: 'Sin respuesta',
  hint:
    'Preguntas que el bot no pudo responder y respuestas que la gente valoró mal. Una pregunta sale de la ' +
    'lista cuando la contesta una respuesta o un documento nuevo, pero no mientras alguien espere un ' +
    'correo.',
  empty: 'Nada que corregir',
  emptyHint: 'Las preguntas que el bot no puede responder aparecen aquí.',
  question: 'Pregunta',
  count: 'Frecuencia',
  times: (count) => amount(count, 'vez', 'veces'),
  rated: (count) => amount(count, 'mal valorada', 'mal valoradas'),
  last: 'Última vez',
  best: 'Mejor fragmento',
  /** Shown with the question, so that the number says something. */
  score: (score, minScore, isEnough) =>
    isEnough ? `${score}: suficiente` : `${score}, necesita ${decimal(minScore)}`,
  read: (name) => `Leer el fragmento de ${name}`,
  readTitle: 'Mejor fragmento',
  usePassage: 'Usar este fragmento',
  usePassageHint: 'El bot encontró este fragmento. Úselo como respuesta y acórtelo:',
  answered: 'Ya tiene respuesta',
  answeredHint: 'Si alguien vuelve a preguntarlo, el bot responde.',
  wantsMail: 'Respuesta por correo solicitada por:',
  mailed: 'Marcar el correo como respondido',
  mailedDone: 'Se eliminaron las solicitudes de respuesta por correo',
  noPassage: 'Ningún fragmento de los documentos encaja',
  addAnswer: 'Añadir una respuesta',
  addAnswerTo: (question) => `Añadir una respuesta a «${question}»`,
  others: (question) => `Más acciones para «${question}»`,
  addDocument: 'Añadir un documento',
  dismiss: 'No es una pregunta',
  dismissed: 'La pregunta se quitó de la lista',
  open: 'Abrir la conversación',
  explain: 'Ver qué encuentra la búsqueda',
  wordings: (count) => `y ${amount(count, 'formulación', 'formulaciones')} más`,
}

export const checks: typeof EnglishChecks = {
  title: 'Comprobaciones',
  hint:
    'Preguntas con el documento o el texto que debería responderlas. Ejecute la comprobación después de ' +
    'cambiar documentos o respuestas: tarda segundos, no envía mensajes y muestra qué mejoró y qué ' +
    'empeoró.',
  empty: 'Aún no hay preguntas que comprobar',
  emptyHint:
    'Añada preguntas que el bot debe responder, con el documento o una parte de la respuesta.',
  emptyReader: 'Nadie ha añadido todavía una pregunta.',
  add: 'Añadir una pregunta',
  run: 'Comprobar',
  export: 'Exportar',
  import: 'Importar',
  importText:
    'Añade las preguntas de un archivo YAML o JSON, creado con «Exportar» o por una persona. Las preguntas ' +
    'que ya están aquí quedan como están. «botstead test» ejecuta el mismo archivo.',
  importFile: 'Archivo con comprobaciones',
  imported: (created, unchanged) =>
    `Añadidas: ${thousands(created)}; sin cambios: ${thousands(unchanged)}.`,
  tooLarge: 'El archivo ocupa más de 2 MB',
  invalid: (file, line, message) => `${file}, línea ${line}: ${message}`,
  file: 'conocimientos.yaml',
  question: 'Pregunta',
  expectedFile: 'Documento que debería responder',
  expectedFileHint: 'Su nombre; por ejemplo: devoluciones.md',
  expectedText: 'Parte de la respuesta',
  expectedTextHint:
    'Por ejemplo: treinta días. Indique el documento, una parte de la respuesta o ambos.',
  expected: 'Esperado',
  quoted: (text) => `«${text}»`,
  result: 'Resultado',
  found: 'Encontrado',
  nothing: 'Nada',
  curatedAnswer: 'Una respuesta suya',
  notRun: 'Aún sin comprobar',
  passed: 'Correcta',
  failed: 'Incorrecta',
  better: 'Mejor que antes',
  worse: 'Peor que antes',
  summary: (passed, failed, better, worse) => {
    const changes = [
      better > 0 && amount(better, 'mejor', 'mejores'),
      worse > 0 && amount(worse, 'peor', 'peores'),
    ]
    const compared = changes.filter(Boolean).join(', ')
    const right = `Correctas: ${thousands(passed)} de ${amount(passed + failed, 'pregunta')}`
    return compared ? `${right}; desde la última vez: ${compared}.` : `${right}.`
  },
  delete: 'Eliminar',
  edit: 'Editar pregunta',
  editOne: (question) => `Editar «${question}»`,
  deleteOne: (question) => `Eliminar «${question}»`,
}
