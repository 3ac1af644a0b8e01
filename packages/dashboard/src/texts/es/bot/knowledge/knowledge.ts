import type { File } from '@botstead/contract'
import type { knowledge as English } from '../../../en/bot/knowledge/knowledge.ts'
import { amount, decimal, thousands } from '../../amount.ts'

const files = (count: number) => amount(count, 'archivo')
const pages = (count: number) => amount(count, 'página')
const countPassages = (count: number) => amount(count, 'fragmento')
const words = (all: string[]) => all.map((word) => `«${word}»`).join(', ')
const maxCounted = 20_000
/** For numbers that come as texts. */
const withComma = (number: string) => number.replace('.', ',')
const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

const statuses: Record<File['status'], string> = {
  upload_pending: 'Esperando el contenido',
  upload_failed: 'Error al subir',
  upload_completed: 'Guardado, sin búsqueda',
  indexing_pending: 'Indexando',
  indexing_failed: 'Error al indexar',
  indexing_completed: 'Disponible',
}

/** After a number of files: one, or several. */
const counted: Record<File['status'], [string, string]> = {
  upload_pending: ['a la espera del contenido', 'a la espera del contenido'],
  upload_failed: ['con error al subir', 'con error al subir'],
  upload_completed: ['guardado, sin búsqueda', 'guardados, sin búsqueda'],
  indexing_pending: ['en proceso', 'en proceso'],
  indexing_failed: ['con error al indexar', 'con error al indexar'],
  indexing_completed: ['disponible', 'disponibles'],
}

const minScoreOwners = {
  base: ' de la base de conocimientos',
  card: ' de la tarjeta',
  usual: '',
}

export const knowledge: typeof English = {
  title: 'Conocimientos',
  files: 'Archivos',
  pages: 'Páginas de conocimientos',
  documents: 'Documentos',
  addFiles: 'Añadir archivos',
  search: 'Probar una pregunta',
  drop: 'Suelte archivos o carpetas en cualquier lugar de esta página.',
  empty: 'Dele al bot algo que leer',
  emptyTitleReader: 'No hay documentos',
  emptyHint:
    'Añada documentos: PDF, Word, Excel, PowerPoint, OpenDocument, HTML, correos, texto o CSV. El servidor ' +
    'divide cada uno en fragmentos. El bot responde con los fragmentos que encajan con una pregunta. ' +
    'Después, pruebe una pregunta aquí o hable con el bot.',
  emptyReader: 'Nadie ha añadido documentos todavía.',
  noMatch: 'Ningún archivo coincide',
  noMatchHint: 'Cambie o quite los filtros.',
  emptyBase: 'Esta base de conocimientos está vacía',
  otherFiles: 'También archivos fuera de los conocimientos',
  name: 'Nombre',
  nameHint: 'Por ejemplo: lista de precios',
  base: 'Base de conocimientos',
  noBase: 'ninguna',
  status: 'Estado',
  size: 'Tamaño',
  noSize: 'desconocido',
  added: 'Añadido',
  changed: 'Cambio',
  any: 'Todas',
  actions: 'Acciones',
  delete: 'Eliminar archivo',
  deleteOne: (name) => `Eliminar ${name}`,
  deleteText: 'El bot deja de encontrar sus fragmentos. No se puede deshacer.',
  deleted: 'Archivo eliminado',
  indexAgain: 'Indexar de nuevo',
  indexing: 'El servidor vuelve a leer el archivo',
  download: 'Descargar',
  counts: (status, count) => {
    const number = count >= maxCounted ? `${thousands(maxCounted)}+` : thousands(count)
    return `${number} ${counted[status][count === 1 ? 0 : 1]}`
  },
  statuses,
  meaning: {
    progress: (embedded, passages) =>
      `El servidor prepara la búsqueda por significado: ${thousands(embedded)} de ` +
      `${countPassages(passages)} listos. El bot ya encuentra los demás, pero solo si una pregunta ` +
      'contiene palabras suyas.',
    complete: (passages) =>
      passages === 1
        ? 'La búsqueda encuentra el fragmento por palabras y por significado.'
        : `La búsqueda encuentra los ${countPassages(passages)} por palabras y por significado.`,
    partly: (embedded, passages) =>
      `La búsqueda encuentra ${thousands(embedded)} de ${countPassages(passages)} por palabras y por ` +
      'significado, y los demás solo por palabras: el modelo no conoce su idioma.',
    unavailable: (model) =>
      `La búsqueda encuentra fragmentos solo por palabras: el modelo «${model}» falla. El servidor lo ` +
      'intenta de nuevo cada pocos segundos.',
    disabled: 'La búsqueda encuentra fragmentos solo por palabras.',
    notInstalled:
      'La búsqueda encuentra fragmentos solo por palabras, porque los paquetes del modelo incluido no ' +
      'están instalados.',
    about: 'Búsqueda por significado',
  },
  samples: {
    title: (count, hasOthers) => {
      const samples = amount(count, 'documento de ejemplo', 'documentos de ejemplo')
      return `El bot ${hasOthers ? 'también ' : ''}responde con ${samples}`
    },
    ask: (subjects) =>
      `Pulse «Probar el bot» y pregunte, por ejemplo, sobre: ${subjects}.`,
    text: (count) =>
      count === 1
        ? 'Venía con el ejemplo. Elimínelo cuando añada sus propios documentos.'
        : 'Venían con el ejemplo. Elimínelos cuando añada sus propios documentos.',
    delete: 'Eliminar los ejemplos',
    deleteTitle: 'Eliminar los documentos de ejemplo',
    deleted: (count) => `Eliminado: ${files(count)}`,
  },
  bases: {
    manage: 'Cambiar la base de conocimientos',
    create: 'Nueva base de conocimientos',
    created: 'Base de conocimientos creada',
    name: 'Nombre',
    taken: 'Otra base de conocimientos tiene este nombre.',
    chooseFirst: 'Primero elija una base de conocimientos',
    rename: 'Cambiar nombre',
    renamed: 'Nombre cambiado',
    renameHint:
      'Los flujos encuentran una base de conocimientos por su nombre. Después de cambiarlo, cámbielo ' +
      'también en los flujos.',
    minScore: 'Puntuación mínima',
    minScoreHint:
      'De 0 a 1: la probabilidad que debe tener un fragmento de responder a la pregunta. Vacío: 0,35. Si ' +
      'el bot contesta preguntas que ningún documento responde, aumente el valor; si deja preguntas sin ' +
      'contestar, redúzcalo.',
    minScoreOf: (name) => `Puntuación mínima de «${name}»`,
    minScoreEffect:
      'Esto cambia la base de conocimientos: vale para todas las respuestas, no solo para la búsqueda de ' +
      'esta página, y sustituye la puntuación mínima de las tarjetas.',
    minScoreChanged: 'Puntuación mínima cambiada',
    noMinScore: '0,35',
    delete: 'Eliminar',
    deleteOne: (name) => `Eliminar ${name}`,
    deleteText:
      'Se eliminan la base de conocimientos y todos sus archivos. No se puede deshacer.',
    deleted: 'Base de conocimientos eliminada',
    fallback: 'Documentos',
  },
  add: {
    title: 'Añadir archivos',
    chosen: files,
    none: 'Ningún archivo elegido',
    hint:
      'Suelte aquí archivos o carpetas. Un archivo con el mismo nombre se reemplaza si su contenido es ' +
      'distinto; si no, se omite.',
    types:
      'Tipos en los que se puede buscar: PDF, Word (docx, rtf), Excel (xlsx), PowerPoint (pptx), ' +
      'OpenDocument (odt, ods, odp), EPUB, correo (eml), HTML, Markdown, CSV, TSV, JSON, YAML, XML y otros ' +
      'textos. Los archivos de otros tipos solo se guardan.',
    start: 'Subir',
    startReplacing: 'Subir y reemplazar',
    readingFolders: 'Leyendo las carpetas…',
    replaces: (count) =>
      `Se ${count === 1 ? 'reemplaza' : 'reemplazan'} ${files(count)}:`,
    skips: (count) =>
      `Se ${count === 1 ? 'omite' : 'omiten'} ${files(count)} con el mismo contenido.`,
  },
  upload: {
    title: 'Subida',
    running: (done, total) => `${thousands(done)} de ${files(total)}`,
    waiting:
      'No se puede conectar con el servidor. La subida continúa en cuanto responda.',
    done: (uploaded) => amount(uploaded, 'archivo subido', 'archivos subidos'),
    replaced: (count) => amount(count, 'reemplazado'),
    skipped: (count) =>
      `${thousands(count)} ya ${count === 1 ? 'estaba' : 'estaban'} aquí`,
    failed: (count) => `${thousands(count)} con error`,
    progress: 'Progreso de la subida',
    progressOf: (name) => `Progreso de ${name}`,
    retry: 'Reintentar los fallidos',
    stop: 'Detener',
    close: 'Cerrar',
    more: (count) => `y ${thousands(count)} más`,
    resume:
      'Para continuar, elija de nuevo los mismos archivos o la misma carpeta. Los archivos que ya están ' +
      'aquí se omiten.',
  },
  file: {
    title: 'Archivo',
    document: 'Documento',
    passages: 'Fragmentos tal como los lee el bot',
    kinds: {
      title: 'título',
      subtitle: 'subtítulo',
      paragraph: 'párrafo',
      blockquote: 'cita',
      list: 'lista',
      table: 'tabla',
      code: 'código',
      image: 'imagen',
      page: 'página',
    },
    noPassages: 'No hay fragmentos',
    passageHints: {
      upload_pending: 'El contenido no ha llegado. Suba el archivo de nuevo.',
      upload_failed: 'El contenido no ha llegado. Suba el archivo de nuevo.',
      upload_completed:
        'Este archivo está guardado, pero no se busca en él. Indéxelo para que el bot lo encuentre.',
      indexing_pending:
        'El servidor está leyendo el archivo. Los fragmentos aparecerán aquí.',
      indexing_failed: 'El servidor no pudo leer el archivo.',
      indexing_completed: 'El archivo no contiene texto.',
    },
    page: (page) => `página ${page}`,
    noPreview:
      'El navegador no puede mostrar aquí este tipo de archivo. Descárguelo para leerlo.',
    readText:
      'El navegador no puede mostrar aquí este tipo de archivo. Este es el texto que el servidor leyó en ' +
      'él, en el orden de los fragmentos.',
    more: 'Cargar más texto',
    beginning: 'Solo se muestra el principio.',
    webPage: 'Página web',
  },
  websites: {
    title: 'Sitios web',
    page: 'Sitio web',
    add: 'Añadir un sitio web',
    adding: 'Añadir',
    added: 'El servidor lee el sitio web',
    hint:
      'El servidor lee una página o todas las páginas de un sitemap. Respeta robots.txt y vuelve a leer ' +
      'las páginas según la programación: reemplaza las que cambian y quita las que se eliminan.',
    empty: 'Aún no hay sitios web',
    emptyHint:
      'Añada la dirección de una página o de un sitemap. El bot responde con el contenido de sus páginas.',
    emptyReader: 'Nadie ha añadido todavía un sitio web.',
    url: 'Dirección',
    urlHint: 'La mayoría de los sitios web tienen su sitemap en /sitemap.xml.',
    type: 'Leer',
    types: { page: 'Esta página', sitemap: 'Todas las páginas de este sitemap' },
    schedule: 'Volver a leer',
    schedules: {
      off: 'Nunca',
      daily: 'Cada día',
      weekly: 'Cada semana',
      monthly: 'Cada mes',
    },
    maxPages: 'Máximo de páginas',
    status: 'Estado',
    statuses: {
      pending: 'En espera',
      fetching: 'Leyendo',
      completed: 'Leído',
      failed: 'Error',
    },
    progress: ({ total, done, failed }, isRunning) => {
      const read = isRunning ? `${thousands(done)} de ${pages(total)}` : pages(total)
      return failed > 0 ? `${read}, ${thousands(failed)} sin leer` : read
    },
    last: 'Última lectura',
    next: 'Próxima',
    refresh: 'Volver a leer ahora',
    change: (url) => `Volver a leer: ${url}`,
    changed: 'Programación cambiada',
    edit: 'Cambiar la dirección',
    edited: 'Dirección cambiada. El servidor lee el sitio web',
    editText:
      'Las páginas de la dirección anterior se quitan cuando el servidor ha leído la nueva.',
    delete: 'Eliminar sitio web',
    deleteOne: (url) => `Eliminar ${url}`,
    deleteText: 'El bot deja de encontrar sus páginas. No se puede deshacer.',
    deleted: 'Sitio web eliminado',
    pages: 'Páginas',
    noPages: 'No hay páginas',
    noPagesHint: 'Las páginas aparecen aquí mientras el servidor las lee.',
    checked: 'Revisión',
    file: 'Fragmentos',
    pageStatuses: {
      pending: 'En espera',
      fetched: 'Leída',
      unchanged: 'Sin cambios',
      blocked: 'No permitida por robots.txt',
      failed: 'Error',
      gone: 'Eliminada',
    },
  },
  query: {
    title: 'Probar una pregunta',
    question: 'Pregunta',
    placeholder: '¿Cómo devuelvo un producto?',
    all: 'Todos los archivos',
    submit: 'Buscar',
    hint: 'Vea qué fragmentos encuentra el bot para una pregunta y por qué.',
    results: 'Fragmentos',
    score: 'Puntuación',
    wordScore: 'Palabras',
    vectorScore: 'Significado',
    mergedScore: 'Palabras y significado',
    rerankScore: 'Lectura de un modelo',
    low: (minScore, owner) =>
      `Por debajo de la puntuación mínima ${decimal(minScore)}${minScoreOwners[owner]}: no se usa`,
    lowHint:
      'Vale la puntuación mínima de la base de conocimientos. Si no tiene, vale `minScore` de la tarjeta, ' +
      'si lo hay.',
    inWords: ({ matched, vectorScore, minScore }) => {
      const found =
        matched.length > 0
          ? `Coincidencias: ${matched.join(', ')}`
          : 'Ninguna palabra coincide'
      const meaning =
        vectorScore === undefined
          ? ''
          : `; significado ${vectorScore.toLocaleString('es', twoDigits)}`
      return `${found}${meaning}; necesita ${decimal(minScore)}.`
    },
    minScore: (minScore) => `Cambiar la puntuación mínima (${withComma(minScore)})`,
    minScoreOf: (name, minScore) =>
      `Cambiar la puntuación mínima (${withComma(minScore)}) de «${name}»`,
    verdict: {
      title: 'Qué hace el bot',
      answers: 'El bot responde con:',
      chooses:
        'El bot pregunta a cuál de estas opciones se refiere la persona y responde con la elegida:',
      source: (name) => `Fuente: ${name}`,
      model: (passages) =>
        `El bot entrega ${countPassages(passages)} a su modelo de lenguaje, que escribe la respuesta.`,
      low: (score, minScore) =>
        `El bot no responde: el mejor fragmento tiene ${score} y necesita ${decimal(minScore)}.`,
      lacking:
        'El bot no responde: al mejor fragmento le falta un número, una hora o un precio que pide la ' +
        'pregunta.',
      nothing: 'El bot no responde: no encuentra ningún fragmento.',
    },
    cardLimits: (limit, minScore) => {
      const passages = limit && (limit === '1' ? '1 fragmento' : `${limit} fragmentos`)
      const parts = [
        passages && `${passages} como máximo`,
        minScore && `puntuación mínima ${withComma(minScore)}`,
      ]
      const limits = `Límites de la tarjeta que buscó: ${parts.filter(Boolean).join(', ')}.`
      return minScore
        ? `${limits} Si una base de conocimientos tiene su propia puntuación mínima, vale esa.`
        : limits
    },
    clearLimits: 'Buscar sin estos límites',
    why: 'Por qué estos fragmentos',
    matched: (all) => `Palabras encontradas: ${words(all)}.`,
    missing: (all) => `Ningún fragmento contiene ${words(all)}.`,
    replaced: (word, by) =>
      by.length > 0
        ? `Se buscó ${words(by)} en lugar de «${word}».`
        : `Se buscaron palabras parecidas a «${word}», que ningún fragmento contiene.`,
    wordsOnly:
      'La búsqueda compara palabras. Con embeddings, también compara el significado.',
    embeddings: 'Configurar embeddings',
    withVectors: 'La búsqueda compara palabras y significado.',
    withReranking: 'Un modelo leyó la pregunta con los mejores fragmentos y los ordenó.',
    nothing: 'No se encontró nada',
    noTerms: 'La pregunta solo contiene palabras muy comunes, que no sirven para buscar.',
    noFiles: 'No hay archivos en los que buscar. Primero añada alguno.',
    noneReady: 'Aún no hay archivos disponibles para la búsqueda.',
    pending: (count) =>
      `${amount(count, 'archivo aún se está', 'archivos aún se están')} leyendo. Inténtelo de nuevo en un ` +
      'momento.',
    failed: (count) =>
      `${amount(count, 'archivo no se pudo', 'archivos no se pudieron')} leer.`,
    showFailed: 'Mostrarlos',
    elsewhere: 'Otra base de conocimientos tiene un fragmento para esta pregunta:',
    rephrase:
      'Use en la pregunta palabras de los documentos, o añada estas palabras al documento que debería ' +
      'responderla.',
  },
}
