import type { bots as English } from '../en/bots.ts'
import { amount } from './amount.ts'

export const bots: typeof English = {
  title: 'Bots',
  create: 'Crear bot',
  empty: 'Aún no hay bots',
  emptyHint: 'Empiece con un ejemplo o cree uno a partir de sus propios archivos.',
  emptyViewer: 'Los bots de este espacio de trabajo aparecen aquí.',
  search: 'Buscar por nombre',
  nothingFound: 'Ningún bot tiene este nombre',
  nothingFoundHint: 'Busque otra parte del nombre.',
  dev: 'Desarrollo',
  blocked: 'Bloqueado',
  activity: (messages, pending) =>
    `${amount(messages, 'mensaje')} hoy, ${amount(pending, 'pendiente')}`,
  name: 'Nombre',
  health: 'Salud',
  pending: 'Pendientes',
  pendingHint: 'Entregas que esperan al bot',
  today: 'Mensajes hoy',
  deployed: 'Despliegue',
  neverDeployed: 'sin desplegar',
  healths: {
    ok: 'Correcto',
    degraded: 'Con fallos',
    failing: 'Fallando',
    undeployed: 'Sin desplegar',
  },
  mended: 'sin fallos desde el despliegue',
  broken: 'el código no se carga',
  deadLetters: (count) => amount(count, 'entrega fallida', 'entregas fallidas'),
  issues: (count) => amount(count, 'incidencia abierta', 'incidencias abiertas'),
  newBot: {
    title: 'Crear un bot',
    name: 'Nombre',
    namePlaceholder: 'Soporte',
    from: 'Empezar con',
    sources: {
      example: 'Ejemplo',
      files: 'Archivos del bot',
      builder: 'Otra plataforma',
      archive: 'Exportación',
      scratch: 'Desde cero',
      empty: 'Bot vacío',
    },
    scratchHint:
      'Un bot que saluda. Usted añade sus preguntas y respuestas en la página Flujos, sin programar.',
    greeting: '¡Hola! ¿En qué puedo ayudarle?',
    emptyHint:
      'Para desarrolladores: un bot que no hace nada hasta que despliegue código en él, aquí o con la ' +
      'línea de comandos.',
    isArchive: (file: string) => `${file} es la exportación de un espacio de trabajo`,
    isArchiveHint: 'Los operadores la importan en «Exportación», en esta página.',
    atUrl:
      'Para desarrolladores: para añadir un bot que se ejecuta en su propio servidor, llame a `createBot` ' +
      'de la API con su `url`.',
    atUrlLink: 'Bots en una URL',
    missing: 'El documento no lo contiene todo',
    setSecrets: (names) => `Defina estos secretos en los ajustes: ${names.join(', ')}.`,
    configure: (aliases) =>
      `Configure y active estas integraciones: ${aliases.join(', ')}.`,
    created: (name) => `Bot creado: ${name}`,
    createdBroken: (name) => `Se creó ${name}, pero su código no se carga`,
  },
  builders: {
    drop: 'Suelte aquí un archivo exportado',
    hint: 'Un bot de Typebot, Dify, Flowise, Voiceflow, Botpress 12 o el Agent Builder de OpenAI.',
    docs: 'Cómo exportarlo',
    choose: 'Primero elija un archivo',
    empty: (file: string) => `${file} está vacío. Exporte de nuevo el bot`,
    tooLarge: (file) => `${file} ocupa más de 10 MB`,
    report: 'Informe',
    parts: 'Partes del bot',
    result: 'Resultado',
    part: 'Parte',
    note: 'Diferencia o próximo paso',
    results: { carried: 'Incluida', changed: 'Con diferencias', omitted: 'No incluida' },
    found: (source, { carried, changed, omitted }) =>
      `${source}. Incluidas: ${carried}; con diferencias: ${changed}; no incluidas: ${omitted}.`,
    more: (count) => `Y ${amount(count, 'parte')} más.`,
    secrets: 'Secretos por definir',
    knowledge: 'Documentos por subir',
    remarks: 'Tenga en cuenta',
    save: (path) => `Guardar ${path}`,
    name: 'Nombre',
    create: 'Crear el borrador',
    created: (name) => `Se creó ${name} como borrador`,
  },
  archive: {
    drop: 'Suelte aquí una exportación',
    hint:
      'Un archivo de la página Exportaciones o del comando export. Contiene un espacio de trabajo con ' +
      'todos sus bots.',
    passphrase: 'Frase de contraseña',
    passphraseHint:
      'La de la exportación. Déjela vacía si la exportación no contiene secretos.',
    import: 'Importar',
    progress: 'Enviado al servidor',
    tooLarge: 'La exportación es demasiado grande para un proxy',
    interrupted: 'La conexión se cortó antes de enviar la exportación',
    tooLargeHint:
      'Puede que un proxy delante del servidor limite el tamaño de las solicitudes. Aumente su límite o ' +
      'importe la exportación en la máquina del servidor: `npm run botstead -- import <archive>`',
    checking: 'El servidor comprueba la exportación y guarda su contenido…',
    done: (workspace, rows) => `Se importó ${workspace}: ${amount(rows, 'fila')}`,
    signer: (signer) => `Firmado por ${signer}`,
    noSecrets:
      'La exportación no contiene secretos: defina los de los bots y las integraciones, y las ' +
      'configuraciones de las integraciones instaladas.',
    open: 'Abrir el espacio de trabajo',
    notMember: 'Usted no es miembro. Sus miembros lo ven cuando inician sesión.',
  },
  examples: {
    create: 'Crear',
    createNamed: (title) => `Crear ${title}`,
    needsModel: 'Requiere un modelo',
    noModel:
      'No hay ningún modelo configurado. Un propietario lo añade en los ajustes del servidor.',
  },
  files: {
    drop: 'Suelte aquí un bot',
    hint:
      'Un bot.json o bot.yaml, una carpeta que lo contenga junto con su código, o un paquete: un archivo ' +
      '.cjs o .js que exporta una función llamada handler.',
    sdkHint:
      'Para un proyecto con @botpress/sdk, ejecute `bp build` (la línea de comandos oficial) y elija ' +
      '`.botpress/dist/index.cjs`.',
    examples: 'Descargar un ejemplo:',
    exampleFiles: {
      document: (size) => `un bot.json${size && ` (${size})`}`,
      bundle: (size) => `un paquete${size && ` (${size})`}`,
    },
    bundle: (size) => `Paquete, ${size}`,
    document: 'Documento de bot',
    codeFiles: (count) =>
      `con ${count} ${count === 1 ? 'archivo' : 'archivos'} de código`,
    none: 'No hay ningún bot en estos archivos',
    noneHint: 'Elija un bot.json, un bot.yaml o un paquete.',
    several: 'Hay varios bots. Elija uno de ellos.',
    notDocument: (file) => `${file} no es un documento de bot`,
    invalid: (file) => `No se puede leer ${file}`,
    tooLarge: (file) => `${file} ocupa más de 50 MB`,
    problems: (file, count) =>
      `${file} tiene ${count === 1 ? 'un problema' : `${count} problemas`}`,
    correct: 'No se puede desplegar. Corríjalo y vuelva a elegirlo.',
    correctPartly:
      'No se puede desplegar. Corríjalo y vuelva a elegirlo: puede haber más problemas.',
    warnings: (file, count) =>
      `${file} tiene ${count === 1 ? 'una advertencia' : `${count} advertencias`}`,
    warningsHint: 'Probablemente sea un descuido, pero se puede desplegar.',
  },
  delete: {
    title: (name) => `Eliminar ${name}`,
    text: 'Se eliminan sus conversaciones, usuarios, archivos y tablas. No se puede deshacer.',
    button: 'Eliminar bot',
    done: (name) => `Bot eliminado: ${name}`,
  },
  transfer: {
    title: 'Transferir a otro espacio de trabajo',
    target: 'Espacio de trabajo',
    text:
      'Las conversaciones, los archivos y las tablas se trasladan con el bot. Los miembros de este ' +
      'espacio de trabajo pierden el acceso.',
    button: 'Transferir',
    done: 'Bot transferido',
    noTarget: 'No puede crear bots en ningún otro espacio de trabajo.',
  },
}
