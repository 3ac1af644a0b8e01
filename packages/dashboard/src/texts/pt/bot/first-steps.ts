import type { firstSteps as English } from '../../en/bot/first-steps.ts'

export const firstSteps: typeof English = {
  title: 'Primeiros passos',
  count: (done: number, all: number) => `${done} de ${all} concluídos`,
  done: 'Concluído:',
  dismiss: 'Não mostrar de novo',
  changeFlows: 'Altere as outras mensagens dele em Fluxos',
  steps: {
    talk: { title: 'Converse com o bot', hint: 'Escreva a ele como um visitante.' },
    document: {
      title: 'Adicione um documento',
      hint: 'O bot responde a perguntas a partir dos seus arquivos e sites.',
    },
    greeting: {
      title: 'Defina a saudação',
      hint: 'Os visitantes a leem antes de escrever.',
    },
    website: {
      title: 'Coloque o bot no seu site',
      hint: 'Copie o código para as suas páginas e informe seu site em Sites permitidos.',
    },
    invite: {
      title: 'Convide alguém',
      hint: 'Colegas respondem na caixa de entrada ou alteram o bot com você.',
    },
    channel: {
      title: 'Conecte um canal',
      hint: 'As pessoas passam a falar com o bot por WhatsApp, Telegram, e-mail e outros.',
    },
    handoff: {
      title: 'Responda no lugar do bot',
      hint: 'Abra uma conversa e clique em Assumir. Depois, devolva-a ao bot.',
    },
  },
}
