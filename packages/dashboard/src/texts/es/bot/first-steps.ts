import type { firstSteps as English } from '../../en/bot/first-steps.ts'

export const firstSteps: typeof English = {
  title: 'Primeros pasos',
  count: (done, all) => `${done} de ${all} completados`,
  done: 'Completado:',
  dismiss: 'No volver a mostrar',
  changeFlows: 'Cambie sus otros mensajes en Flujos',
  steps: {
    talk: { title: 'Hable con el bot', hint: 'Escríbale como lo haría un visitante.' },
    document: {
      title: 'Añada un documento',
      hint: 'El bot responde preguntas a partir de sus archivos y sitios web.',
    },
    greeting: {
      title: 'Defina el saludo',
      hint: 'Los visitantes lo leen antes de escribir.',
    },
    website: {
      title: 'Ponga el bot en su sitio web',
      hint: 'Copie el código en sus páginas e indique su sitio en «Sitios web permitidos».',
    },
    invite: {
      title: 'Invite a alguien',
      hint: 'Sus compañeros responden en la bandeja de entrada o modifican el bot con usted.',
    },
    channel: {
      title: 'Conecte un canal',
      hint: 'Así la gente llega al bot por WhatsApp, Telegram, correo y otros medios.',
    },
    handoff: {
      title: 'Responda en lugar del bot',
      hint: 'Abra una conversación y pulse «Tomar el control». Después, devuélvala al bot.',
    },
  },
}
