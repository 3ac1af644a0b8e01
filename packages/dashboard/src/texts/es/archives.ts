import type {
  archives as EnglishArchives,
  backups as EnglishBackups,
} from '../en/archives.ts'

export const archives: typeof EnglishArchives = {
  title: 'Exportaciones',
  list: 'Exportaciones del espacio de trabajo',
  hint:
    'Una exportación contiene todo el espacio de trabajo: bots, conversaciones, archivos, tablas y ' +
    'miembros. Impórtela en otra instalación para trasladar o copiar el espacio de trabajo.',
  create: 'Crear exportación',
  createTitle: 'Crear una exportación',
  withSecrets: 'Incluir los secretos, cifrados con una frase de contraseña',
  withoutSecretsHint:
    'Si no, la exportación no contiene secretos, configuraciones ni versiones de los bots.',
  passphrase: 'Frase de contraseña',
  passphraseHint:
    'Al menos 12 caracteres. El servidor no la guarda; la importación la pide.',
  start: 'Iniciar',
  empty: 'No hay exportaciones',
  emptyHint: 'Cree una para trasladar este espacio de trabajo o para guardar una copia.',
  started: 'Inicio',
  state: 'Estado',
  size: 'Tamaño',
  actions: 'Acciones',
  states: { running: 'En curso', done: 'Lista', failed: 'Fallida' },
  progress: (percent) => `${percent} %`,
  progressOf: (file) => `Progreso de ${file}`,
  by: (email) => `por ${email}`,
  withoutSecrets: 'sin secretos',
  download: 'Descargar',
  downloadOne: (file) => `Descargar ${file}`,
  delete: 'Eliminar',
  deleteOne: (file) => `Eliminar ${file}`,
  deleteText: 'El archivo se elimina para todos. No se puede deshacer.',
  stop: 'Detener',
  stopOne: (file) => `Detener ${file}`,
  stopText: 'El archivo incompleto se elimina.',
  import: 'Importar…',
  importHow:
    'Un propietario del primer espacio de trabajo abre allí Crear bot > Exportación. O bien ejecute en su ' +
    'clon:',
  importOne: (file) => `Importar ${file}`,
  importText: (workspace) =>
    'Descargue el archivo. En la otra instalación, abra Crear bot > Exportación, como propietario del ' +
    'primer espacio de trabajo. O bien ejecute esto en su clon. ' +
    `La instalación no debe tener todavía el espacio de trabajo «${workspace}».`,
  importFirst:
    'Cada instalación crea su primer espacio de trabajo al iniciarse por primera vez, siempre con el ' +
    'mismo id. Para importar la exportación de uno de ellos, ejecute el comando antes del primer inicio.',
  importPassphrase: 'El archivo passphrase.txt contiene la frase de contraseña.',
}
export const backups: typeof EnglishBackups = {
  title: 'Copias de seguridad',
  list: 'Copias de seguridad de la instalación',
  hint:
    'Una copia de seguridad contiene la base de datos y todos los archivos tal como están en un momento, ' +
    'sin detener los servidores. No contiene las claves: guarde una copia de ellas en otro lugar.',
  lastSuccess: 'Copia más reciente',
  lastVerified: 'Copia verificada más reciente',
  next: 'Próxima copia programada',
  notScheduled: 'sin programar: defina BOTSTEAD_BACKUP_SCHEDULE',
  never: 'ninguna',
  failed: (time, reason) => `Falló la copia de seguridad del ${time}: ${reason}`,
  overdue:
    'Las copias de seguridad llevan retraso. El motivo está en el registro del servidor.',
  folder: 'Las copias están en',
  keysFolder: 'Las claves están en',
  create: 'Hacer copia ahora',
  empty: 'Aún no hay copias de seguridad.',
  restore: 'Restaurar…',
  restoreOne: (file) => `Restaurar ${file}`,
  restoreText:
    'Ejecute estos comandos en el clon, en una máquina que tenga el archivo. Restauran en una carpeta de ' +
    'datos nueva; esta instalación queda como está.',
  keys: 'Copie las claves:',
  command: 'Restaure:',
  restoreSettings:
    'Esta instalación tiene sus claves en variables: defina los mismos valores de BOTSTEAD_MASTER_KEY y ' +
    'BOTSTEAD_CHAT_KEY.',
  restoreDatabase:
    'Para restaurar en su propio PostgreSQL, defina DATABASE_URL con la dirección de una base de datos ' +
    'vacía.',
}
