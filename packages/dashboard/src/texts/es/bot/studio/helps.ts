/** Helps of the fields of flows, by their English texts in the schema of the document. */
export const helps: Record<string, string> = {
  'Name of the card in traces and in `event.state.context`':
    'Nombre de la tarjeta en las trazas y en `event.state.context`',
  'Message, or the text of a text message': 'Mensaje, o el texto de un mensaje de texto',
  'Tags of the message': 'Etiquetas del mensaje',
  'Conversation to send to; by default the current one':
    'Conversación a la que se envía; de forma predeterminada, la actual',
  'Kind of answer': 'Tipo de respuesta',
  'Message that the bot sends before it waits':
    'Mensaje que el bot envía antes de esperar',
  'Variable for the answer': 'Variable para la respuesta',
  'Choices of `singleChoice` and `multipleChoice`, or an expression in `{{ }}` that returns them':
    'Opciones de `singleChoice` y `multipleChoice`, o una expresión en `{{ }}` que las devuelve',
  'Pattern of `regex`': 'Patrón de `regex`',
  'Minimum: of a number, a date, the characters of a text or the number of choices':
    'Mínimo: de un número, de una fecha, de los caracteres de un texto o de la cantidad de ' +
    'opciones',
  'Maximum, as for `min`': 'Máximo, como en `min`',
  'Condition on the answer, which is the global `value`':
    'Condición para la respuesta, que está en la variable global `value`',
  'If true, a model reads answers in which the rules of the kind find nothing':
    'Si está activado, un modelo lee las respuestas en las que las reglas del tipo no ' +
    'encuentran nada',
  'Model (`auto` by default), or several: the others are fallbacks':
    'Modelo (`auto` de forma predeterminada), o varios: los demás son de reserva',
  'Message after an unsuitable answer': 'Mensaje después de una respuesta no válida',
  'How often the bot asks again (3 by default)':
    'Cuántas veces vuelve a preguntar el bot (3 de forma predeterminada)',
  'Words with which the user cancels': 'Palabras con las que el usuario cancela',
  'Label of a button that cancels, below the choices or the question':
    'Texto de un botón para cancelar, debajo de las opciones o de la pregunta',
  'Next node after a cancel word. Without it, the next card runs and the variable is null':
    'Paso siguiente después de una palabra para cancelar. Sin él, se ejecuta la tarjeta ' +
    'siguiente y la variable es null',
  'Next node after the last retry. Without it, the next card runs and the variable is null':
    'Paso siguiente después del último intento. Sin él, se ejecuta la tarjeta siguiente y la ' +
    'variable es null',
  'Seconds to wait for an answer': 'Segundos de espera de una respuesta',
  'Next node after the timeout. Without it, the next card runs and the variable is null':
    'Paso siguiente cuando se agota el tiempo. Sin él, se ejecuta la tarjeta siguiente y la ' +
    'variable es null',
  'Text; {{ }} holds a JavaScript expression':
    'Texto; {{ }} contiene una expresión de JavaScript',
  Condition: 'Condición',
  'Next node when the condition holds': 'Paso siguiente cuando se cumple la condición',
  'Next node': 'Paso siguiente',
  'Flow to call; this flow continues after it':
    'Flujo que se ejecuta; después continúa este',
  'Values for the inputs of the flow, by input':
    'Valores para las entradas del flujo, por entrada',
  'Variables for the outputs of the flow, by output':
    'Variables para los resultados del flujo, por resultado',
  'Code to run': 'Código que se ejecuta',
  ['Action of the bot by its name, of an integration as `integration:action`, or of an MCP ' +
    'server as `server:tool`']:
    'Acción del bot por su nombre, de una integración como `integration:action` o de un ' +
    'servidor MCP como `server:tool`',
  'Input of the action': 'Entrada de la acción',
  'Variable for its output': 'Variable para su resultado',
  'Question; by default the preview of the event':
    'Pregunta; de forma predeterminada, la vista previa del evento',
  "Knowledge bases; by default all of the document's":
    'Bases de conocimientos; de forma predeterminada, todas las del documento',
  'Maximum number of passages (5 by default)':
    'Cantidad máxima de fragmentos (5 de forma predeterminada)',
  ['Minimum score of a passage (0.35 by default); a minimum score of the knowledge base ' +
    'replaces it']:
    'Puntuación mínima de un fragmento (0,35 de forma predeterminada); la sustituye una ' +
    'puntuación mínima de la base de conocimientos',
  'Variable for the passages, which are also in `event.kb`':
    'Variable para los fragmentos, que también están en `event.kb`',
  'Task for the model': 'Tarea para el modelo',
  'Values for the model to read, by name; by default `message`, the preview of the event':
    'Valores que lee el modelo, por nombre; de forma predeterminada `message`, la vista previa ' +
    'del evento',
  'JSON Schema of the result': 'Esquema JSON del resultado',
  'Variable for the result': 'Variable para el resultado',
  'How often the model may correct a result that does not match `output` (2 by default)':
    'Cuántas veces puede corregir el modelo un resultado que no se ajusta a `output` (2 de ' +
    'forma predeterminada)',
  'Next node after a failure of the model. Without it, the failure is an error of the card':
    'Paso siguiente si falla el modelo. Sin él, el fallo es un error de la tarjeta',
  'Further instructions for the model': 'Más instrucciones para el modelo',
  'Descriptions in words, each with its next node; the model chooses one':
    'Descripciones en palabras, cada una con su paso siguiente; el modelo elige una',
  'Next node if no description fits. Without it, the next card runs':
    'Paso siguiente si ninguna descripción encaja. Sin él, se ejecuta la tarjeta siguiente',
  'Instructions for the text': 'Instrucciones para el texto',
  'Variable for the text. Without it, the bot sends the text':
    'Variable para el texto. Sin ella, el bot envía el texto',
  "Knowledge bases to search; by default all of the document's":
    'Bases de conocimientos en las que se busca; de forma predeterminada, todas las del ' +
    'documento',
  'Tags of the files to search, in place of knowledge bases; `{}` searches all files':
    'Etiquetas de los archivos en los que se busca, en lugar de bases de conocimientos; `{}` ' +
    'busca en todos los archivos',
  'Further instructions, for example on tone':
    'Más instrucciones, por ejemplo sobre el tono',
  ['Whether the model checks its answer with a second request, and the bot leaves out ' +
    'sentences that no cited passage supports (true by default)']:
    'Si el modelo comprueba su respuesta con una segunda solicitud y el bot omite las frases ' +
    'que ningún fragmento citado respalda (sí de forma predeterminada)',
  ['Heading of the sources (`Sources:` or, without a model, `Source:` by default); an empty ' +
    'text omits them']:
    'Título de las fuentes (de forma predeterminada `Sources:` o, sin modelo, `Source:`); un ' +
    'texto vacío las omite',
  'Text above buttons for equally likely answers, without a model':
    'Texto sobre los botones para respuestas igual de probables, sin modelo',
  'Message if the passages do not contain the answer':
    'Mensaje si los fragmentos no contienen la respuesta',
  'Next node if the passages do not contain the answer. Without it, the next card runs':
    'Paso siguiente si los fragmentos no contienen la respuesta. Sin él, se ejecuta la tarjeta ' +
    'siguiente',
  'Variable for `{ answer, citations }`, or null if unknown. Without it, the bot sends a message':
    'Variable para `{ answer, citations }`, o null si no se conoce la respuesta. Sin ella, el ' +
    'bot envía un mensaje',
  'Name of the table': 'Nombre de la tabla',
  Operation: 'Operación',
  'Id of the row': 'Id. de la fila',
  'Row, in the format of the Tables API': 'Fila, en el formato de la API de tablas',
  'Rows, in the format of the Tables API': 'Filas, en el formato de la API de tablas',
  'Filter, in the format of the Tables API': 'Filtro, en el formato de la API de tablas',
  ['With `find`: texts by column that users typed. Rows fit in any capitals, codes without ' +
    'separators (`#A-1001` is `a1001`), and phone numbers in national and international form']:
    'Con `find`: textos que escribieron los usuarios, por columna. Las filas coinciden sin ' +
    'distinguir mayúsculas, los códigos sin separadores (`#A-1001` es `a1001`) y los números ' +
    'de teléfono en formato nacional e internacional',
  'Words to search for': 'Palabras que se buscan',
  'Column to sort by': 'Columna por la que se ordena',
  'Sort direction': 'Sentido del orden',
  'Maximum number of rows': 'Cantidad máxima de filas',
  'Column by which `upsert` finds rows':
    'Columna por la que `upsert` encuentra las filas',
  Variable: 'Variable',
  Value: 'Valor',
  'Object to tag; `message` is the message that the bot answers':
    'Lo que recibe la etiqueta; `message` es el mensaje al que responde el bot',
  Tags: 'Etiquetas',
  'Level (info by default)': 'Nivel (info de forma predeterminada)',
  'Text of the log line': 'Texto de la línea del registro',
  'Name of the event': 'Nombre del evento',
  'Condition on the event': 'Condición para el evento',
  "Variable for the event's payload": 'Variable para el contenido del evento',
  'Seconds to wait': 'Segundos de espera',
  'Message that the bot sends before': 'Mensaje que el bot envía antes',
  'Why the bot cannot answer': 'Por qué no puede responder el bot',
  'Information for the person': 'Información para la persona',
  'Messages and events of the conversation that the bot receives meanwhile (`nothing` by default)':
    'Mensajes y eventos de la conversación que el bot recibe mientras tanto (`nothing` de ' +
    'forma predeterminada)',
  'Variable for the payload of `handoff_closed`, when the card continues':
    'Variable para el contenido de `handoff_closed`, cuando la tarjeta continúa',
  'Seconds without an event after which this conversation ends; 0 disables the timeout':
    'Segundos sin eventos tras los que termina esta conversación; 0 desactiva el tiempo límite',
  'Flow to start': 'Flujo que se inicia',
  'Node to start at; by default the node of type `trigger`, otherwise the first node of the flow':
    'Paso con el que se empieza; de forma predeterminada, el paso de tipo `trigger`; si no ' +
    'hay, el primero del flujo',
  'Event of the bot, or of an integration as `integration:event`':
    'Evento del bot, o de una integración como `integration:event`',
  'Cron expression of five fields, in UTC': 'Expresión cron de cinco campos, en UTC',
  'Payload of the event': 'Contenido del evento',
  'When it runs; see Hooks': 'Cuándo se ejecuta; consulte «Hooks» en la documentación',
  'Name in traces and issues': 'Nombre en las trazas y las incidencias',
  ['If true, an error of the hook ends the turn. Otherwise the error becomes an issue and ' +
    'the turn continues']:
    'Si está activado, un error del hook termina el turno. Si no, el error se convierte en una ' +
    'incidencia y el turno continúa',
  ['Seconds without an event after which a conversation ends (1,800 by default); 0 disables ' +
    'the timeout']:
    'Segundos sin eventos tras los que termina una conversación (1800 de forma ' +
    'predeterminada); 0 desactiva el tiempo límite',
  'How often one turn may enter the same node (25 by default)':
    'Cuántas veces puede entrar un turno en el mismo paso (25 de forma predeterminada)',
  'Maximum duration of one run of code in milliseconds (10,000 by default)':
    'Duración máxima de una ejecución de código, en milisegundos (10.000 de forma ' +
    'predeterminada)',
  'Maximum duration of one call of a model in milliseconds (45,000 by default)':
    'Duración máxima de una llamada a un modelo, en milisegundos (45.000 de forma ' +
    'predeterminada)',
  'Shows that the bot writes while a turn takes longer than half a second (off by default)':
    'Muestra que el bot está escribiendo cuando un turno tarda más de medio segundo ' +
    '(desactivado de forma predeterminada)',
  'Defaults of all captures': 'Valores predeterminados de todas las preguntas',
  'IANA time zone of dates (UTC by default)':
    'Zona horaria IANA de las fechas (UTC de forma predeterminada)',
  ['BCP 47 tag of the language and region in which users write numbers, dates and phone ' +
    'numbers, such as `de-CH`. By default the variable `user.locale`']:
    'Código BCP 47 del idioma y la región en que los usuarios escriben números, fechas y ' +
    'teléfonos, como `de-CH`. De forma predeterminada, la variable `user.locale`',
  'Type of the node': 'Tipo de paso',
  'Description for readers of the document': 'Descripción para quien lea el documento',
  'Next node after the last card. Without it, the flow ends':
    'Paso siguiente después de la última tarjeta. Sin él, el flujo termina',
  'Position on the page Flows of the dashboard; the bot does not use it':
    'Posición en la página «Flujos» del panel; el bot no la usa',
  'Next node after an exit without `to`. Without it, the flow ends':
    'Paso siguiente después de una salida sin `to`. Sin él, el flujo termina',
  'Task, rules and style of the agent': 'Tarea, reglas y estilo del agente',
  'Randomness of the replies': 'Aleatoriedad de las respuestas',
  'Tools that the model may call': 'Herramientas a las que puede llamar el modelo',
  'Variables of the model': 'Variables del modelo',
  'Exits by name': 'Salidas, por nombre',
  'Limits of the work on one message of the user':
    'Límites del trabajo sobre un mensaje del usuario',
  ['Next node after a limit or a failure of the model; `turn.error.reason` is the reason. ' +
    'Without it, this is an error of the node']:
    'Paso siguiente si se alcanza un límite o falla el modelo; `turn.error.reason` es el ' +
    'motivo. Sin él, es un error del paso',
  'When and how the model should call the tool':
    'Cuándo y cómo debe llamar el modelo a la herramienta',
  'Name of the tool; by default the name of the action, with `_` for `:`':
    'Nombre de la herramienta; de forma predeterminada, el nombre de la acción, con `_` en ' +
    'lugar de `:`',
  'Action of the bot with code, by its name, or of an integration as `integration:action`':
    'Acción del bot con código, por su nombre, o de una integración como `integration:action`',
  ["JSON Schema of the input, for an action of an integration; the bot's own actions " +
    'declare it, and tools of MCP servers have one']:
    'Esquema JSON de la entrada, para una acción de una integración; las acciones propias del ' +
    'bot la declaran, y las herramientas de servidores MCP ya tienen uno',
  ["If true, an interrupted call of the bot's own action runs again. Otherwise the model " +
    'learns that the result is unknown']:
    'Si está activado, una llamada interrumpida a una acción propia del bot se ejecuta de ' +
    'nuevo. Si no, se informa al modelo de que no se conoce el resultado',
  'Name of the tool; by default the name of the flow':
    'Nombre de la herramienta; de forma predeterminada, el nombre del flujo',
  'Flow to run. Its inputs are the input of the tool, its outputs the result; it may ask the user':
    'Flujo que se ejecuta. Sus entradas son la entrada de la herramienta, y sus resultados, el ' +
    'resultado; puede preguntar al usuario',
  'Name of the tool; by default `search_knowledge`':
    'Nombre de la herramienta; de forma predeterminada, `search_knowledge`',
  ['Operations that the model may use (`find` and `get` by default). Each is one tool, such ' +
    'as `find_OrdersTable`']:
    'Operaciones que puede usar el modelo (`find` y `get` de forma predeterminada). Cada una ' +
    'es una herramienta, como `find_OrdersTable`',
  'Variables whose values the model sees': 'Variables cuyos valores ve el modelo',
  'Variables that the model also may set, with the tool `set_variables`':
    'Variables que el modelo también puede asignar, con la herramienta `set_variables`',
  'When the model should take this exit, by calling the tool `exit_` and its name':
    'Cuándo debe tomar el modelo esta salida; para ello llama a la herramienta `exit_` seguida ' +
    'de su nombre',
  ['Condition. With `description`, the model can take the exit only while it holds; ' +
    '`outputs` has the given values. Without, the engine takes the exit as soon as it holds']:
    'Condición. Con `description`, el modelo solo puede tomar la salida mientras se cumple; ' +
    '`outputs` contiene los valores indicados. Sin ella, el bot toma la salida en cuanto se ' +
    'cumple',
  'Values that the model must give, by name. Requires `description`':
    'Valores que debe indicar el modelo, por nombre. Requiere `description`',
  "Next node; by default the node's `next`":
    'Paso siguiente; de forma predeterminada, el `next` del paso',
  'Type of its value': 'Tipo de su valor',
  'Meaning, for the model': 'Significado, para el modelo',
  'Variable for the value': 'Variable para el valor',
  'Calls of the model (10 by default)': 'Llamadas al modelo (10 de forma predeterminada)',
  'Tokens of all calls, input and output':
    'Tokens de todas las llamadas, de entrada y de salida',
  'Cost of all calls in US dollars':
    'Costo de todas las llamadas, en dólares estadounidenses',
  'Time of all calls and tools (45 by default). Tools are not interrupted':
    'Tiempo de todas las llamadas y herramientas (45 de forma predeterminada). Las ' +
    'herramientas no se interrumpen',
  'Offers the flow as a tool of the MCP server of the bot':
    'Ofrece el flujo como herramienta del servidor MCP del bot',
  'Variables while the flow runs, as `workflow.name`':
    'Variables mientras se ejecuta el flujo, como `workflow.name`',
  'Values from the calling flow, as `workflow.name`':
    'Valores del flujo que llama, como `workflow.name`',
  'Values for the calling flow, as `workflow.name`':
    'Valores para el flujo que llama, como `workflow.name`',
  'Type of its values': 'Tipo de sus valores',
  'Value before the first write': 'Valor antes de la primera escritura',
}
