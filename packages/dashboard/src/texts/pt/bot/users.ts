import type { users as English } from '../../en/bot/users.ts'
import { amount } from '../amount.ts'

export const users: typeof English = {
  title: 'Usuários',
  choiceHint: 'Nome, tag ou id',
  noChoice:
    'Nenhum usuário encontrado. Digite o começo de um nome, nome=valor de uma tag ou um id.',
  user: 'Usuário',
  empty: 'Nenhum usuário',
  emptyHint: 'As integrações criam usuários quando as pessoas escrevem ao bot.',
  noneFound: 'Nenhum usuário corresponde aos filtros',
  hiddenHint:
    'Usuários que nunca escreveram e membros que respondem ficam ocultos. Os filtros os mostram.',
  hidden: 'Ocultos',
  silent: 'Usuários que nunca escreveram',
  members: 'Membros',
  shown: { shown: 'Visíveis', only: 'Só estes' },
  byMessage: (link: string) =>
    `Só nomes e tags. Para encontrar uma pessoa por uma mensagem, use “${link}”.`,
  toMessages: 'Buscar mensagens',
  name: 'Nome',
  noName: 'nenhum',
  picture: 'Endereço da imagem',
  noPicture: 'nenhum',
  tag: 'Tag',
  tagHint: 'nome=valor',
  integration: 'Integração',
  noIntegration: 'nenhuma',
  conversations: 'Conversas',
  conversationCount: (count: number) => amount(count, 'conversa'),
  conversation: (integration: string, count: number) =>
    `${integration} · ${amount(count, 'mensagem', 'mensagens')}`,
  noConversations: 'Nenhuma conversa',
  member: 'Membro',
  testUser: 'Usuário de teste',
  testUserHint: 'Um membro do espaço de trabalho que testa o bot com “Testar o bot”',
  unnamed: 'Sem nome',
  visitor: (code: string) => `Visitante ${code}`,
  never: 'nunca',
  about: 'Sobre o usuário',
  created: 'Criação',
  lastMessage: 'Última mensagem',
  saved: 'O usuário foi salvo',
  tags: 'Tags',
  noTags: 'Nenhuma tag',
  newTag: 'Nova tag',
  attributes: 'Atributos',
  attributesHint: 'A API os chama de “properties”.',
  noAttributes: 'Nenhum atributo',
  newAttribute: 'Novo atributo',
  states: 'Estados',
  delete: 'Excluir usuário',
  deleteHint:
    'Exclui o usuário com as mensagens e os arquivos dele, e as conversas sem outros ' +
    'participantes. Logs, rastros e linhas de tabelas ficam: para eliminar tudo, use Dados ' +
    'pessoais. Não é possível desfazer.',
  deleted: 'O usuário foi excluído',
}
