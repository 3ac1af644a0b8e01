/** Helps of the fields of flows, by their English texts in the schema of the document. */
export const helps: Record<string, string> = {
  'Name of the card in traces and in `event.state.context`':
    'Nome do cartão nos rastros e em `event.state.context`',
  'Message, or the text of a text message':
    'Mensagem, ou o texto de uma mensagem de texto',
  'Tags of the message': 'Tags da mensagem',
  'Conversation to send to; by default the current one':
    'Conversa para a qual enviar; por padrão, a atual',
  'Kind of answer': 'Tipo de resposta',
  'Message that the bot sends before it waits':
    'Mensagem que o bot envia antes de esperar',
  'Variable for the answer': 'Variável para a resposta',
  'Choices of `singleChoice` and `multipleChoice`, or an expression in `{{ }}` that returns them':
    'Opções de `singleChoice` e `multipleChoice`, ou uma expressão em `{{ }}` que as retorna',
  'Pattern of `regex`': 'Padrão de `regex`',
  'Minimum: of a number, a date, the characters of a text or the number of choices':
    'Mínimo: de um número, de uma data, dos caracteres de um texto ou da quantidade de opções',
  'Maximum, as for `min`': 'Máximo, como em `min`',
  'Condition on the answer, which is the global `value`':
    'Condição para a resposta, que está na variável global `value`',
  'If true, a model reads answers in which the rules of the kind find nothing':
    'Se ativado, um modelo lê as respostas em que as regras do tipo não encontram nada',
  'Model (`auto` by default), or several: the others are fallbacks':
    'Modelo (`auto` por padrão), ou vários: os outros são reservas',
  'Message after an unsuitable answer': 'Mensagem depois de uma resposta inadequada',
  'How often the bot asks again (3 by default)':
    'Quantas vezes o bot pergunta de novo (3 por padrão)',
  'Words with which the user cancels': 'Palavras com que o usuário cancela',
  'Label of a button that cancels, below the choices or the question':
    'Texto de um botão para cancelar, abaixo das opções ou da pergunta',
  'Next node after a cancel word. Without it, the next card runs and the variable is null':
    'Próxima etapa depois de uma palavra para cancelar. Sem ela, o próximo cartão é executado ' +
    'e a variável é null',
  'Next node after the last retry. Without it, the next card runs and the variable is null':
    'Próxima etapa depois da última tentativa. Sem ela, o próximo cartão é executado e a ' +
    'variável é null',
  'Seconds to wait for an answer': 'Segundos de espera por uma resposta',
  'Next node after the timeout. Without it, the next card runs and the variable is null':
    'Próxima etapa quando o tempo se esgota. Sem ela, o próximo cartão é executado e a ' +
    'variável é null',
  'Text; {{ }} holds a JavaScript expression':
    'Texto; {{ }} contém uma expressão JavaScript',
  Condition: 'Condição',
  'Next node when the condition holds': 'Próxima etapa quando a condição vale',
  'Next node': 'Próxima etapa',
  'Flow to call; this flow continues after it': 'Fluxo a executar; depois este continua',
  'Values for the inputs of the flow, by input':
    'Valores para as entradas do fluxo, por entrada',
  'Variables for the outputs of the flow, by output':
    'Variáveis para os resultados do fluxo, por resultado',
  'Code to run': 'Código a executar',
  ['Action of the bot by its name, of an integration as `integration:action`, or of an MCP ' +
    'server as `server:tool`']:
    'Ação do bot pelo nome, de uma integração como `integration:action` ou de um servidor MCP ' +
    'como `server:tool`',
  'Input of the action': 'Entrada da ação',
  'Variable for its output': 'Variável para o resultado dela',
  'Question; by default the preview of the event':
    'Pergunta; por padrão, a prévia do evento',
  "Knowledge bases; by default all of the document's":
    'Bases de conhecimento; por padrão, todas as do documento',
  'Maximum number of passages (5 by default)':
    'Quantidade máxima de trechos (5 por padrão)',
  ['Minimum score of a passage (0.35 by default); a minimum score of the knowledge base ' +
    'replaces it']:
    'Pontuação mínima de um trecho (0,35 por padrão); uma pontuação mínima da base de ' +
    'conhecimento a substitui',
  'Variable for the passages, which are also in `event.kb`':
    'Variável para os trechos, que também estão em `event.kb`',
  'Task for the model': 'Tarefa para o modelo',
  'Values for the model to read, by name; by default `message`, the preview of the event':
    'Valores que o modelo lê, por nome; por padrão `message`, a prévia do evento',
  'JSON Schema of the result': 'Esquema JSON do resultado',
  'Variable for the result': 'Variável para o resultado',
  'How often the model may correct a result that does not match `output` (2 by default)':
    'Quantas vezes o modelo pode corrigir um resultado que não corresponde a `output` (2 por ' +
    'padrão)',
  'Next node after a failure of the model. Without it, the failure is an error of the card':
    'Próxima etapa se o modelo falhar. Sem ela, a falha é um erro do cartão',
  'Further instructions for the model': 'Mais instruções para o modelo',
  'Descriptions in words, each with its next node; the model chooses one':
    'Descrições em palavras, cada uma com a próxima etapa; o modelo escolhe uma',
  'Next node if no description fits. Without it, the next card runs':
    'Próxima etapa se nenhuma descrição servir. Sem ela, o próximo cartão é executado',
  'Instructions for the text': 'Instruções para o texto',
  'Variable for the text. Without it, the bot sends the text':
    'Variável para o texto. Sem ela, o bot envia o texto',
  "Knowledge bases to search; by default all of the document's":
    'Bases de conhecimento em que buscar; por padrão, todas as do documento',
  'Tags of the files to search, in place of knowledge bases; `{}` searches all files':
    'Tags dos arquivos em que buscar, no lugar de bases de conhecimento; `{}` busca em todos ' +
    'os arquivos',
  'Further instructions, for example on tone': 'Mais instruções, por exemplo sobre o tom',
  ['Whether the model checks its answer with a second request, and the bot leaves out ' +
    'sentences that no cited passage supports (true by default)']:
    'Se o modelo verifica a própria resposta com uma segunda solicitação e o bot omite as ' +
    'frases que nenhum trecho citado sustenta (sim por padrão)',
  ['Heading of the sources (`Sources:` or, without a model, `Source:` by default); an empty ' +
    'text omits them']:
    'Título das fontes (por padrão `Sources:` ou, sem modelo, `Source:`); um texto vazio as ' +
    'omite',
  'Text above buttons for equally likely answers, without a model':
    'Texto acima dos botões para respostas igualmente prováveis, sem modelo',
  'Message if the passages do not contain the answer':
    'Mensagem se os trechos não contiverem a resposta',
  'Next node if the passages do not contain the answer. Without it, the next card runs':
    'Próxima etapa se os trechos não contiverem a resposta. Sem ela, o próximo cartão é ' +
    'executado',
  'Variable for `{ answer, citations }`, or null if unknown. Without it, the bot sends a message':
    'Variável para `{ answer, citations }`, ou null se a resposta for desconhecida. Sem ela, o ' +
    'bot envia uma mensagem',
  'Name of the table': 'Nome da tabela',
  Operation: 'Operação',
  'Id of the row': 'Id da linha',
  'Row, in the format of the Tables API': 'Linha, no formato da API de tabelas',
  'Rows, in the format of the Tables API': 'Linhas, no formato da API de tabelas',
  'Filter, in the format of the Tables API': 'Filtro, no formato da API de tabelas',
  ['With `find`: texts by column that users typed. Rows fit in any capitals, codes without ' +
    'separators (`#A-1001` is `a1001`), and phone numbers in national and international form']:
    'Com `find`: textos que os usuários digitaram, por coluna. As linhas correspondem sem ' +
    'diferenciar maiúsculas, os códigos sem separadores (`#A-1001` é `a1001`) e os telefones ' +
    'em formato nacional e internacional',
  'Words to search for': 'Palavras a buscar',
  'Column to sort by': 'Coluna pela qual ordenar',
  'Sort direction': 'Direção da ordem',
  'Maximum number of rows': 'Quantidade máxima de linhas',
  'Column by which `upsert` finds rows': 'Coluna pela qual `upsert` encontra as linhas',
  Variable: 'Variável',
  Value: 'Valor',
  'Object to tag; `message` is the message that the bot answers':
    'O que recebe a tag; `message` é a mensagem a que o bot responde',
  Tags: 'Tags',
  'Level (info by default)': 'Nível (info por padrão)',
  'Text of the log line': 'Texto da linha do log',
  'Name of the event': 'Nome do evento',
  'Condition on the event': 'Condição para o evento',
  "Variable for the event's payload": 'Variável para o conteúdo do evento',
  'Seconds to wait': 'Segundos de espera',
  'Message that the bot sends before': 'Mensagem que o bot envia antes',
  'Why the bot cannot answer': 'Por que o bot não pode responder',
  'Information for the person': 'Informações para a pessoa',
  'Messages and events of the conversation that the bot receives meanwhile (`nothing` by default)':
    'Mensagens e eventos da conversa que o bot recebe enquanto isso (`nothing` por padrão)',
  'Variable for the payload of `handoff_closed`, when the card continues':
    'Variável para o conteúdo de `handoff_closed`, quando o cartão continua',
  'Seconds without an event after which this conversation ends; 0 disables the timeout':
    'Segundos sem eventos depois dos quais esta conversa termina; 0 desativa o tempo limite',
  'Flow to start': 'Fluxo a iniciar',
  'Node to start at; by default the node of type `trigger`, otherwise the first node of the flow':
    'Etapa em que começar; por padrão, a etapa do tipo `trigger`; se não houver, a primeira do ' +
    'fluxo',
  'Event of the bot, or of an integration as `integration:event`':
    'Evento do bot, ou de uma integração como `integration:event`',
  'Cron expression of five fields, in UTC': 'Expressão cron de cinco campos, em UTC',
  'Payload of the event': 'Conteúdo do evento',
  'When it runs; see Hooks': 'Quando ele é executado; veja “Hooks” na documentação',
  'Name in traces and issues': 'Nome nos rastros e nos problemas',
  ['If true, an error of the hook ends the turn. Otherwise the error becomes an issue and ' +
    'the turn continues']:
    'Se ativado, um erro do hook encerra o turno. Senão, o erro vira um problema e o turno ' +
    'continua',
  ['Seconds without an event after which a conversation ends (1,800 by default); 0 disables ' +
    'the timeout']:
    'Segundos sem eventos depois dos quais uma conversa termina (1.800 por padrão); 0 desativa ' +
    'o tempo limite',
  'How often one turn may enter the same node (25 by default)':
    'Quantas vezes um turno pode entrar na mesma etapa (25 por padrão)',
  'Maximum duration of one run of code in milliseconds (10,000 by default)':
    'Duração máxima de uma execução de código, em milissegundos (10.000 por padrão)',
  'Maximum duration of one call of a model in milliseconds (45,000 by default)':
    'Duração máxima de uma chamada a um modelo, em milissegundos (45.000 por padrão)',
  'Shows that the bot writes while a turn takes longer than half a second (off by default)':
    'Mostra que o bot está digitando quando um turno leva mais de meio segundo (desativado por ' +
    'padrão)',
  'Defaults of all captures': 'Padrões de todas as perguntas',
  'IANA time zone of dates (UTC by default)':
    'Fuso horário IANA das datas (UTC por padrão)',
  ['BCP 47 tag of the language and region in which users write numbers, dates and phone ' +
    'numbers, such as `de-CH`. By default the variable `user.locale`']:
    'Código BCP 47 do idioma e da região em que os usuários escrevem números, datas e ' +
    'telefones, como `de-CH`. Por padrão, a variável `user.locale`',
  'Type of the node': 'Tipo da etapa',
  'Description for readers of the document': 'Descrição para quem lê o documento',
  'Next node after the last card. Without it, the flow ends':
    'Próxima etapa depois do último cartão. Sem ela, o fluxo termina',
  'Position on the page Flows of the dashboard; the bot does not use it':
    'Posição na página “Fluxos” do painel; o bot não a usa',
  'Next node after an exit without `to`. Without it, the flow ends':
    'Próxima etapa depois de uma saída sem `to`. Sem ela, o fluxo termina',
  'Task, rules and style of the agent': 'Tarefa, regras e estilo do agente',
  'Randomness of the replies': 'Aleatoriedade das respostas',
  'Tools that the model may call': 'Ferramentas que o modelo pode chamar',
  'Variables of the model': 'Variáveis do modelo',
  'Exits by name': 'Saídas, por nome',
  'Limits of the work on one message of the user':
    'Limites do trabalho em uma mensagem do usuário',
  ['Next node after a limit or a failure of the model; `turn.error.reason` is the reason. ' +
    'Without it, this is an error of the node']:
    'Próxima etapa se um limite for atingido ou o modelo falhar; `turn.error.reason` é o ' +
    'motivo. Sem ela, isso é um erro da etapa',
  'When and how the model should call the tool':
    'Quando e como o modelo deve chamar a ferramenta',
  'Name of the tool; by default the name of the action, with `_` for `:`':
    'Nome da ferramenta; por padrão, o nome da ação, com `_` no lugar de `:`',
  'Action of the bot with code, by its name, or of an integration as `integration:action`':
    'Ação do bot com código, pelo nome, ou de uma integração como `integration:action`',
  ["JSON Schema of the input, for an action of an integration; the bot's own actions " +
    'declare it, and tools of MCP servers have one']:
    'Esquema JSON da entrada, para uma ação de uma integração; as ações do próprio bot já a ' +
    'declaram, e as ferramentas de servidores MCP têm um',
  ["If true, an interrupted call of the bot's own action runs again. Otherwise the model " +
    'learns that the result is unknown']:
    'Se ativado, uma chamada interrompida de uma ação do próprio bot é executada de novo. ' +
    'Senão, o modelo é informado de que o resultado é desconhecido',
  'Name of the tool; by default the name of the flow':
    'Nome da ferramenta; por padrão, o nome do fluxo',
  'Flow to run. Its inputs are the input of the tool, its outputs the result; it may ask the user':
    'Fluxo a executar. As entradas dele são a entrada da ferramenta, e os resultados, o ' +
    'resultado; ele pode perguntar ao usuário',
  'Name of the tool; by default `search_knowledge`':
    'Nome da ferramenta; por padrão, `search_knowledge`',
  ['Operations that the model may use (`find` and `get` by default). Each is one tool, such ' +
    'as `find_OrdersTable`']:
    'Operações que o modelo pode usar (`find` e `get` por padrão). Cada uma é uma ferramenta, ' +
    'como `find_OrdersTable`',
  'Variables whose values the model sees': 'Variáveis cujos valores o modelo vê',
  'Variables that the model also may set, with the tool `set_variables`':
    'Variáveis que o modelo também pode definir, com a ferramenta `set_variables`',
  'When the model should take this exit, by calling the tool `exit_` and its name':
    'Quando o modelo deve tomar esta saída, chamando a ferramenta `exit_` seguida do nome dela',
  ['Condition. With `description`, the model can take the exit only while it holds; ' +
    '`outputs` has the given values. Without, the engine takes the exit as soon as it holds']:
    'Condição. Com `description`, o modelo só pode tomar a saída enquanto ela vale; `outputs` ' +
    'contém os valores informados. Sem, o bot toma a saída assim que ela vale',
  'Values that the model must give, by name. Requires `description`':
    'Valores que o modelo deve informar, por nome. Exige `description`',
  "Next node; by default the node's `next`":
    'Próxima etapa; por padrão, o `next` da etapa',
  'Type of its value': 'Tipo do valor',
  'Meaning, for the model': 'Significado, para o modelo',
  'Variable for the value': 'Variável para o valor',
  'Calls of the model (10 by default)': 'Chamadas ao modelo (10 por padrão)',
  'Tokens of all calls, input and output':
    'Tokens de todas as chamadas, de entrada e de saída',
  'Cost of all calls in US dollars': 'Custo de todas as chamadas, em dólares americanos',
  'Time of all calls and tools (45 by default). Tools are not interrupted':
    'Tempo de todas as chamadas e ferramentas (45 por padrão). As ferramentas não são ' +
    'interrompidas',
  'Offers the flow as a tool of the MCP server of the bot':
    'Oferece o fluxo como ferramenta do servidor MCP do bot',
  'Variables while the flow runs, as `workflow.name`':
    'Variáveis enquanto o fluxo é executado, como `workflow.name`',
  'Values from the calling flow, as `workflow.name`':
    'Valores do fluxo que chama, como `workflow.name`',
  'Values for the calling flow, as `workflow.name`':
    'Valores para o fluxo que chama, como `workflow.name`',
  'Type of its values': 'Tipo dos valores',
  'Value before the first write': 'Valor antes da primeira gravação',
}
