// Requests to the copilot, each with a conversation that its bot must be able to have. The
// sentences are given, because the wording is the model's otherwise. The set is for evaluation: do
// not tune for it.

type Step =
  | { user: string }
  | { bot: string | { contains: string } | { matches: string } }

export interface Brief {
  name: string
  request: string
  steps: Step[]
}

const says = (contains: string): Step => ({ bot: { contains } })
const hears = (user: string): Step => ({ user })

const brief = (name: string, request: string, steps: Step[]): Brief => ({
  name,
  request,
  steps,
})

export const briefs: Brief[] = [
  brief('greeting', 'Answer the first message with exactly "Welcome to Aki Tea!".', [
    hears('hi'),
    says('Welcome to Aki Tea!'),
  ]),
  brief(
    'name',
    'Ask "What is your name?", then say "Hello, " with the name and an exclamation mark.',
    [hears('hi'), says('What is your name?'), hears('Ana'), says('Hello, Ana!')],
  ),
  brief(
    'sum',
    'Ask "First number?" and "Second number?", then send "Sum: " with the sum.',
    [
      hears('start'),
      says('First number?'),
      hears('17'),
      says('Second number?'),
      hears('25'),
      says('Sum: 42'),
    ],
  ),
  brief(
    'adult',
    'Ask "How old are you?". From 18 on say "You may enter.", otherwise "Come back later.".',
    [hears('hi'), says('How old are you?'), hears('17'), says('Come back later.')],
  ),
  brief(
    'confirm',
    'Ask "Do you want a newsletter?" as a yes or no question. Yes: "Subscribed." No: "As ' +
      'you like."',
    [hears('hi'), says('Do you want a newsletter?'), hears('yes'), says('Subscribed.')],
  ),
  brief(
    'menu',
    'Ask "What do you want?" with the choices Tea and Coffee. Answer "Green or black?" or ' +
      '"Milk or black?".',
    [hears('hi'), says('What do you want?'), hears('Tea'), says('Green or black?')],
  ),
  brief(
    'email',
    'Ask "What is your e-mail address?" and confirm with "Sent to " and the address.',
    [
      hears('hi'),
      says('What is your e-mail address?'),
      hears('ana@example.org'),
      says('Sent to ana@example.org'),
    ],
  ),
  brief(
    'retry',
    'Ask "How many?" for a number. If the answer is no number, ask again with "A number, ' +
      'please." Then say "Noted: " and the number.',
    [
      hears('hi'),
      says('How many?'),
      hears('some'),
      says('A number, please.'),
      hears('3'),
      says('Noted: 3'),
    ],
  ),
  brief(
    'order',
    'Ask "Which tea?" and "How many grams?", then send "Order: " with grams, " g of " and the tea.',
    [
      hears('hi'),
      says('Which tea?'),
      hears('Assam'),
      says('How many grams?'),
      hears('100'),
      says('Order: 100 g of Assam'),
    ],
  ),
  brief(
    'two flows',
    'Put the question "What is your city?" into a flow of its own, called from main, then ' +
      'main says "You live in " and the city.',
    [hears('hi'), says('What is your city?'), hears('Graz'), says('You live in Graz')],
  ),
  brief(
    'remember',
    'On the first conversation turn ask "What is your name?" and remember it for the ' +
      'person. Say "Nice to meet you, " and the name.',
    [hears('hi'), says('What is your name?'), hears('Bo'), says('Nice to meet you, Bo')],
  ),
  brief(
    'price',
    'Ask "How many bottles?". A bottle costs 7 euros; from 6 on, all cost 6 euros each. ' +
      'Send "Total: " with the number and " euros".',
    [hears('hi'), says('How many bottles?'), hears('6'), says('Total: 36 euros')],
  ),
  brief(
    'quiz',
    'Ask "What is the capital of France?". If the answer is Paris in any case, say ' +
      '"Right!", otherwise "It is Paris.".',
    [hears('go'), says('What is the capital of France?'), hears('paris'), says('Right!')],
  ),
  brief(
    'keyword',
    'If the first message contains "price", say "From 5 euros." Otherwise say "How can I help?".',
    [hears('what is the price?'), says('From 5 euros.')],
  ),
  brief(
    'german',
    'The bot speaks German: it asks "Wie heißen Sie?" and answers "Guten Tag, " with the name.',
    [hears('hallo'), says('Wie heißen Sie?'), hears('Eva'), says('Guten Tag, Eva')],
  ),
  brief(
    'celsius',
    'Ask "Degrees Celsius?" and answer "Fahrenheit: " with the value in Fahrenheit.',
    [hears('hi'), says('Degrees Celsius?'), hears('100'), says('Fahrenheit: 212')],
  ),
  brief(
    'table',
    'Ask "Which item?", store it in a table OrdersTable with the text column item, then say ' +
      '"Stored.".',
    [hears('hi'), says('Which item?'), hears('tea'), says('Stored.')],
  ),
  brief(
    'summary',
    'Ask "Name?", "City?" and "Job?" one after the other, then send one message "Name, ' +
      'City, Job" with the three answers.',
    [
      hears('hi'),
      says('Name?'),
      hears('Ana'),
      says('City?'),
      hears('Graz'),
      says('Job?'),
      hears('baker'),
      says('Ana, Graz, baker'),
    ],
  ),
  brief(
    'count',
    'Say "Message number 1" to the first message, and in a loop "Message number 2" to the ' +
      'second one, and so on.',
    [hears('a'), says('Message number 1'), hears('b'), says('Message number 2')],
  ),
  brief(
    'cancel',
    'Ask "Where to?". If the person says "stop", answer "Cancelled." Otherwise "Going to " ' +
      'and the place.',
    [hears('hi'), says('Where to?'), hears('Vienna'), says('Going to Vienna')],
  ),
]
