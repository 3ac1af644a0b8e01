import type { CuratedMatch, RejectedAnswer } from '@botstead/contract'
import type {
  checks as EnglishChecks,
  curated as EnglishCurated,
  unanswered as EnglishUnanswered,
} from '../../../en/bot/knowledge/curated.ts'
import { amount, decimal, thousands } from '../../amount.ts'

const kinds: Record<CuratedMatch['kind'], string> = {
  equal: 'as mesmas palavras',
  words: 'as mesmas palavras em outras formas',
  misspelt: 'as mesmas palavras, uma delas com erro de digitação',
}

export const curated: typeof EnglishCurated = {
  title: 'Respostas',
  hint:
    'Quando uma pessoa faz uma destas perguntas, o bot envia a resposta como você a escreveu, ' +
    'antes de consultar documentos e modelos. Ele reconhece outras formas das palavras e erros ' +
    'de digitação; para outras palavras, acrescente outra pergunta à resposta.',
  empty: 'Nenhuma resposta ainda',
  emptyHint: 'Escreva a resposta a uma pergunta frequente.',
  emptyReader: 'Ninguém escreveu uma resposta ainda.',
  noMatch: 'Nenhuma resposta encontrada',
  search: 'Buscar',
  searchHint: 'Palavras de perguntas ou respostas',
  new: 'Nova resposta',
  newTitle: 'Nova resposta',
  edit: 'Alterar a resposta',
  editOne: (question: string) => `Alterar a resposta a “${question}”`,
  deleteOne: (question: string) => `Excluir a resposta a “${question}”`,
  deleteText: 'O bot deixa de enviar esta resposta. Não é possível desfazer.',
  delete: 'Excluir',
  deleted: 'A resposta foi excluída',
  saved: 'A resposta foi salva. O bot já a usa',
  questions: 'Perguntas',
  questionsHint:
    'Uma por linha, como as pessoas perguntam. O bot reconhece outras formas destas palavras e ' +
    'erros de digitação. A mesma pergunta com outras palavras precisa de outra linha: no máximo ' +
    '20.',
  tooMany: 'Uma resposta aceita no máximo 20 perguntas.',
  tooLong: 'Uma pergunta tem no máximo 300 caracteres.',
  answer: 'Resposta',
  more: 'Botões, imagem, idioma e período',
  buttons: 'Botões abaixo da resposta',
  buttonsHint:
    'Um por linha. Um clique envia o texto do botão. Para enviar outro texto, escreva: Sim = ' +
    'Quero fazer um pedido',
  picture: 'Endereço de uma imagem',
  pictureHint: 'Enviada antes da resposta. Começa com https://',
  language: 'Idioma das perguntas',
  languageHint: 'Vazio: o servidor o reconhece pelas palavras.',
  base: 'Só para',
  allBases: 'Todas as bases de conhecimento',
  validFrom: 'Primeiro dia',
  validTo: 'Último dia',
  period: 'O último dia vem antes do primeiro.',
  changed: 'Alteração',
  notNow: 'Não usada agora',
  moreQuestions: (count: number) => `e mais ${amount(count, 'pergunta')}`,
  export: 'Exportar como CSV',
  import: 'Importar de CSV',
  importText:
    'Uma tabela com as colunas “questions” e “answer”. Várias perguntas de uma resposta são ' +
    'linhas de uma mesma célula. Um arquivo exportado mostra todas as colunas. Linhas com “id” ' +
    'alteram a resposta com este id.',
  importFile: 'Escolha o arquivo CSV',
  imported: (created: number, updated: number, unchanged: number) =>
    `Adicionadas: ${thousands(created)}. Alteradas: ${thousands(updated)}. ` +
    `Inalteradas: ${thousands(unchanged)}.`,
  rejected: (count: number) => `Não foi possível importar ${amount(count, 'linha')}:`,
  rejectedRow: ({ line, message }: RejectedAnswer) =>
    `Linha ${thousands(line)}: ${message}`,
  file: 'respostas.csv',
  found: 'O bot envia uma resposta sua',
  foundHint: ({ question, kind }: CuratedMatch) =>
    `Ele não busca nos documentos. Pergunta reconhecida: “${question}” (${kinds[kind]}).`,
  fromConversation: 'Salvar como resposta',
  fromConversationOne: (time: string) => `Salvar como resposta: a mensagem de ${time}`,
}

export const unanswered: typeof EnglishUnanswered = {
  title: 'Sem resposta',
  hint:
    'Perguntas que o bot não soube responder e respostas que as pessoas avaliaram mal. Uma ' +
    'pergunta sai da lista quando uma resposta ou um novo documento a responde, mas não enquanto ' +
    'alguém espera um e-mail.',
  empty: 'Nada a corrigir',
  emptyHint: 'As perguntas que o bot não sabe responder aparecem aqui.',
  question: 'Pergunta',
  count: 'Vezes',
  times: (count: number) => amount(count, 'vez', 'vezes'),
  rated: (count: number) => amount(count, 'avaliação ruim', 'avaliações ruins'),
  last: 'Última',
  best: 'Melhor trecho',
  score: (score: string, minScore: number, isEnough: boolean) =>
    isEnough
      ? `${decimal(score)}: suficiente`
      : `${decimal(score)}, precisa de ${decimal(minScore)}`,
  read: (name: string) => `Ler o trecho de ${name}`,
  readTitle: 'Melhor trecho',
  usePassage: 'Usar este trecho',
  usePassageHint: 'O bot encontrou este trecho. Use-o como resposta e encurte-o:',
  answered: 'Já tem resposta',
  answeredHint: 'Se alguém perguntar isto de novo, o bot responde.',
  wantsMail: 'Resposta por e-mail pedida por:',
  mailed: 'Marcar o e-mail como respondido',
  mailedDone: 'Os pedidos de resposta por e-mail foram excluídos',
  noPassage: 'Nenhum trecho dos documentos serve',
  addAnswer: 'Adicionar resposta',
  addAnswerTo: (question: string) => `Adicionar uma resposta a “${question}”`,
  others: (question: string) => `Mais ações para “${question}”`,
  addDocument: 'Adicionar um documento',
  dismiss: 'Não é uma pergunta',
  dismissed: 'A pergunta saiu da lista',
  open: 'Abrir a conversa',
  explain: 'Ver o que a busca encontra',
  wordings: (count: number) =>
    `e ${amount(count, 'outra formulação', 'outras formulações')}`,
}

export const checks: typeof EnglishChecks = {
  title: 'Verificações',
  hint:
    'Perguntas com o documento ou texto que deve respondê-las. Execute a verificação depois de ' +
    'alterar documentos ou respostas: leva segundos, não envia mensagens e mostra o que melhorou ' +
    'e o que piorou.',
  empty: 'Nenhuma pergunta para verificar ainda',
  emptyHint:
    'Adicione perguntas que o bot precisa responder, com o documento ou uma parte da resposta.',
  emptyReader: 'Ninguém adicionou uma pergunta ainda.',
  add: 'Adicionar pergunta',
  run: 'Executar',
  export: 'Exportar',
  import: 'Importar',
  importText:
    'Adiciona as perguntas de um arquivo escrito por “Exportar” ou por uma pessoa, em YAML ou ' +
    'JSON. As perguntas que já estão aqui ficam como estão. “botstead test” executa o mesmo ' +
    'arquivo.',
  importFile: 'Arquivo com verificações',
  imported: (created: number, unchanged: number) =>
    `Adicionadas: ${thousands(created)}. Inalteradas: ${thousands(unchanged)}.`,
  tooLarge: 'O arquivo tem mais de 2 MB',
  invalid: (file: string, line: number, message: string) =>
    `${file}, linha ${line}: ${message}`,
  file: 'conhecimento.yaml',
  question: 'Pergunta',
  expectedFile: 'Documento que deve responder',
  expectedFileHint: 'O nome dele, por exemplo: devolucoes.md',
  expectedText: 'Parte da resposta',
  expectedTextHint:
    'Por exemplo: trinta dias. Informe o documento, uma parte da resposta ou os dois.',
  expected: 'Esperado',
  quoted: (text: string) => `“${text}”`,
  result: 'Resultado',
  found: 'Encontrado',
  nothing: 'Nada',
  curatedAnswer: 'Uma resposta sua',
  notRun: 'Ainda não executada',
  passed: 'Certa',
  failed: 'Errada',
  better: 'Melhor que antes',
  worse: 'Pior que antes',
  summary: (passed: number, failed: number, better: number, worse: number) => {
    const changes = [
      better > 0 && amount(better, 'melhor', 'melhores'),
      worse > 0 && amount(worse, 'pior', 'piores'),
    ]
    const compared = changes.filter(Boolean).join(', ')
    const right = `Certas: ${thousands(passed)} de ${amount(passed + failed, 'pergunta')}`
    return compared ? `${right}. Desde a última execução: ${compared}.` : `${right}.`
  },
  delete: 'Excluir',
  edit: 'Editar pergunta',
  editOne: (question: string) => `Editar “${question}”`,
  deleteOne: (question: string) => `Excluir “${question}”`,
}
