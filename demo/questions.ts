// The markets of the demo: their questions, operators and initial probabilities.

export type Question = {
  readonly title: string
  readonly description: string
  readonly category: string
  /** Outcomes with their initial probabilities in percent, 100 in total. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly operator: 'harbour' | 'northwind' | 'agora'
  readonly shared?: boolean
  /** Buy orders for all outcomes can match each other. */
  readonly completeSetMatching?: boolean
  /** Default: OPEN. */
  readonly state?: 'CLOSING' | 'UPCOMING' | 'CLOSED' | 'SETTLED'
}

export const categories = [
  { slug: 'sport', name: 'Sport', description: 'Matches, tables and records' },
  { slug: 'politics', name: 'Politics', description: 'Votes, governments and central banks' },
  { slug: 'science', name: 'Science', description: 'Space, climate and prizes' },
  { slug: 'games', name: 'Games', description: 'Chess, speedruns and electronic sports' },
] as const

export const questions: readonly Question[] = [
  {
    title: 'Which club wins the Champions League 2026/27?',
    description: 'The club that lifts the cup after the final, extra time and penalties included.',
    category: 'sport',
    outcomes: {
      'Real Madrid': 22,
      Arsenal: 20,
      'Bayern Munich': 18,
      'Paris Saint-Germain': 16,
      Barcelona: 14,
      'Another club': 10,
    },
    operator: 'harbour',
    shared: true,
  },
  {
    title: 'Lisbon derby on Sunday: Benfica against Sporting',
    description: 'The result after 90 minutes and stoppage time.',
    category: 'sport',
    outcomes: { Benfica: 41, Draw: 27, Sporting: 32 },
    operator: 'harbour',
    shared: true,
    completeSetMatching: true,
  },
  {
    title: 'Will the marathon world record fall in 2027?',
    description: 'A faster time on a record-eligible course, ratified or not, run by 31 December.',
    category: 'sport',
    outcomes: { Yes: 36, No: 64 },
    operator: 'northwind',
  },
  {
    title: 'Does the home side score first tonight?',
    description: 'Own goals count for the side that they help. Trading ends when the match begins.',
    category: 'sport',
    outcomes: { Yes: 54, No: 46 },
    operator: 'harbour',
    state: 'CLOSING',
  },
  {
    title: 'What does the European Central Bank do with its deposit rate in December?',
    description: 'As announced after the December meeting.',
    category: 'politics',
    outcomes: { Cut: 31, Hold: 64, Raise: 5 },
    operator: 'northwind',
    shared: true,
  },
  {
    title: 'Turnout in the first round of the next French presidential election',
    description: 'As published by the Ministry of the Interior, rounded to a tenth of a percent.',
    category: 'politics',
    outcomes: { 'Below 70 %': 18, '70 to 75 %': 38, '75 to 80 %': 33, 'Above 80 %': 11 },
    operator: 'agora',
  },
  {
    title: 'Will Geneva vote for free buses and trams?',
    description: 'The official result of the cantonal vote; a tie counts as No.',
    category: 'politics',
    outcomes: { Yes: 47, No: 53 },
    operator: 'agora',
  },
  {
    title: 'Will people land on the Moon before 2029?',
    description: 'At least one living person on the surface before 1 January 2029, UTC.',
    category: 'science',
    outcomes: { Yes: 34, No: 66 },
    operator: 'harbour',
    shared: true,
  },
  {
    title: 'Which field takes the Nobel Prize in Physics 2027?',
    description:
      'By the wording of the citation; in doubt, by the field of the first laureate named.',
    category: 'science',
    outcomes: {
      'Quantum information': 28,
      Astrophysics: 24,
      'Condensed matter': 22,
      'Particle physics': 12,
      'Another field': 14,
    },
    operator: 'agora',
  },
  {
    title: 'Is 2026 the warmest year on record?',
    description: 'By the global mean of the Copernicus service, published in January.',
    category: 'science',
    outcomes: { Yes: 23, No: 77 },
    operator: 'northwind',
  },
  {
    title: 'How is the World Chess Championship decided?',
    description: 'When the match has a winner: in the classical games or in the tie-breaks.',
    category: 'games',
    outcomes: { 'Before game 12': 21, 'In games 12 to 14': 44, 'In tie-breaks': 35 },
    operator: 'agora',
    shared: true,
  },
  {
    title: 'Will the any% record be below 4:54 by the end of the year?',
    description: 'As listed on the leaderboard, with a video that has been verified.',
    category: 'games',
    outcomes: { Yes: 29, No: 71 },
    operator: 'harbour',
  },
  {
    title: 'How many maps does the grand final take?',
    description: 'Best of five; a forfeited map counts as played.',
    category: 'games',
    outcomes: { Three: 33, Four: 39, Five: 28 },
    operator: 'northwind',
  },
  {
    title: 'Will the new expansion be delayed again?',
    description: 'Trading begins when the publisher confirms the date.',
    category: 'games',
    outcomes: { Yes: 58, No: 42 },
    operator: 'harbour',
    state: 'UPCOMING',
  },
  {
    title: 'Who won the coin toss of the opening match?',
    description: 'Trading has ended. The market waits for the referee’s report.',
    category: 'sport',
    outcomes: { 'Home side': 50, Guests: 50 },
    operator: 'harbour',
    state: 'CLOSED',
  },
  {
    title: 'Did the probe land in one piece?',
    description: 'Contact for at least one hour after touchdown.',
    category: 'science',
    outcomes: { Yes: 71, No: 29 },
    operator: 'harbour',
    state: 'SETTLED',
  },
]
