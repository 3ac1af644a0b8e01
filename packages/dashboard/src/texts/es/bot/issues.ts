import type { issues as English } from '../../en/bot/issues.ts'
import { amount } from '../amount.ts'

export const issues: typeof English = {
  title: 'Incidencias',
  status: 'Estado',
  statuses: { open: 'Abierta', resolved: 'Resuelta', muted: 'Silenciada' },
  empty: 'No hay incidencias',
  emptyHint: 'Los errores del bot aparecen aquí, con una incidencia por cada causa.',
  issue: 'Incidencia',
  count: 'Apariciones',
  seen: 'Última vez',
  first: 'Primera vez',
  resolve: 'Resolver',
  mute: 'Silenciar',
  reopen: 'Reabrir',
  changed: (status) => `La incidencia ahora está «${status}»`,
  occurrences: 'Últimas apariciones',
  resolvedByRedelivery:
    'Resuelta por el servidor: todos sus eventos se volvieron a entregar y se procesaron.',
  resolveHint:
    'Una incidencia resuelta se abre de nuevo si reaparece. Una silenciada sigue silenciada.',
  /** By the code of an issue. */
  explanations: {
    event_refused:
      'El bot respondió a un evento con un estado de 400 a 499, por lo que el servidor no lo reintenta. ' +
      'Los bots de `@botpress/sdk` responden así cuando su handler lanza un error. Corrija la causa y ' +
      'vuelva a entregar el evento en la página Entregas.',
    register_failed:
      'Después de cada despliegue, el servidor llama al handler del bot con la operación `register`, para ' +
      'que el bot pueda prepararse. Esta llamada falló.',
    integration_not_registered:
      'Después de una instalación, una configuración nueva o un despliegue, el servidor llama al handler ' +
      'de la integración con la operación `register`, para que la integración pueda prepararse; por ' +
      'ejemplo, definir su webhook. Esta llamada falló.',
  },
  trace: 'Traza',
  logged: 'Error en el registro de la última aparición',
  conversation: 'Conversación',
  user: 'Usuario',
  stale: 'antes del último despliegue',
  staleHint: (deployedAt) =>
    `Algunas incidencias no han reaparecido desde el despliegue del ${deployedAt}.`,
  resolveStale: 'Resolverlas',
  resolveStaleHint: 'Una incidencia que reaparece se abre de nuevo.',
  resolvedStale: (count) => amount(count, 'incidencia resuelta', 'incidencias resueltas'),
}
