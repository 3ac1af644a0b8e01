import type { SavedVersion } from '@botstead/contract'
import type { versions as English } from '../../en/bot/versions.ts'
import { thousands } from '../amount.ts'

/** The name alone could be that of the bot. */
const toVersion = ({ name, number }: SavedVersion) =>
  number === undefined ? `versión «${name}»` : `versión #${number} (${name})`

export const versions: typeof English = {
  title: 'Versiones',
  intro:
    'Una versión es una copia guardada del bot: código, definiciones e integraciones instaladas. Cada ' +
    'despliegue guarda una.',
  saveHint:
    'Guarde el estado actual después de cambiar ajustes o integraciones, para poder restaurarlo.',
  save: 'Guardar estado actual',
  saveTitle: 'Guardar el bot como versión',
  saveText:
    'Una versión contiene el código, las definiciones y las integraciones instaladas.',
  saved: (name) => `Versión guardada: ${name}`,
  versionName: 'Nombre de la versión',
  description: 'Descripción',
  empty: 'Aún no hay versiones',
  emptyHint: 'Despliegue código: cada despliegue crea una versión.',
  running: 'En uso',
  modified: 'En uso, con cambios',
  broken: 'No se carga',
  loadAgain: 'Reintentar',
  by: (author) => `por ${author}`,
  deployedAgain: 'desplegada de nuevo',
  more: (name) => `Más acciones para ${name}`,
  deploy: 'Desplegar',
  deployFiles: 'Desplegar archivos',
  deployTitle: 'Desplegar archivos',
  deployText:
    'Un paquete reemplaza el código del bot. Un bot.json reemplaza su código y sus definiciones; si ' +
    'contiene una lista de integraciones, las demás se quitan. El resultado se guarda como versión.',
  deployed: (name) => `Versión desplegada: ${name}`,
  deployedBroken: (name) => `Se desplegó ${name}, pero no se carga`,
  rolledBack: (version) => `Restaurada: ${toVersion(version)}`,
  rollback: 'Restaurar esta versión',
  rollbackTo: ({ name, number }) =>
    `Restaurar ${number === undefined ? name.slice(0, 30) : `#${number}`}`,
  rollbackTitle: (version) => `¿Restaurar la ${toVersion(version)}?`,
  rollbackNow: 'Restaurar',
  rollbackText:
    'El bot recibe de inmediato el código, las definiciones y las integraciones de esta versión. Su ' +
    'nombre, etiquetas, secretos, conversaciones y datos se conservan.',
  rollbackChanges: 'Esto cambia:',
  rollbackSame:
    'Los documentos exportados son iguales; las configuraciones de las integraciones pueden ser distintas.',
  rollbackKept: 'El estado actual ya está guardado: podrá restaurarlo.',
  rollbackSaves:
    'Antes se guarda el estado actual como versión, para que pueda restaurarlo.',
  removed: {
    integrations: (alias) =>
      `Quita la integración ${alias} y sus ajustes. La dirección de su webhook deja de funcionar hasta que ` +
      'restaure una versión que la contenga',
    plugins: (alias) => `Quita el plugin ${alias} y sus ajustes`,
  },
  savedBeforeRollback: 'Guardada antes de restaurar',
  savedBeforeDeployment: 'Guardada antes de desplegar',
  rename: 'Cambiar nombre',
  renameTitle: (version) => `Cambiar el nombre: ${toVersion(version)}`,
  renamed: (name) => `Nuevo nombre de la versión: ${name}`,
  deleteTitle: (version) => `¿Eliminar la ${toVersion(version)}?`,
  deleteText: 'Ya no podrá restaurar esta versión. El bot sigue funcionando.',
  deleted: (version) => `Eliminada: ${toVersion(version)}`,
  compare: 'Comparar',
  openTitle: (version) => toVersion(version).replace(/^v/, 'V'),
  view: 'Qué mostrar',
  views: {
    contents: 'Contenido',
    former: 'Cambios desde la versión anterior',
    current: 'Comparación con la que está en uso',
  },
  same: 'Son iguales.',
  since: (name) => `Cambios desde ${name}:`,
  part: 'Parte',
  parts: {
    definition: 'Definición',
    code: 'Código',
  },
  changes: {
    added: (path) => `+ ${path}`,
    removed: (path) => `− ${path}`,
    changed: (path) => path,
  },
  moreChanges: (count) => `y ${thousands(count)} más`,
  left: 'Antes',
  right: 'Estado actual',
  unified: (left, right) => `Líneas rojas: «${left}». Líneas verdes: «${right}».`,
  download: 'Descargar',
}
