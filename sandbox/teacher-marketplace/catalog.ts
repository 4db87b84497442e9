/** What a good may be for. */
export const levels = [
  'PreK',
  'Kindergarten',
  ...['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th', '10th', '11th', '12th'],
  'Higher Education',
  'Adult Education',
  'Not Grade Specific',
] as const

export const topics = [
  ...['Math', 'Algebra', 'Geometry', 'Fractions', 'Reading', 'Writing', 'Phonics', 'Grammar', 'Literature'],
  ...['Science', 'Biology', 'Chemistry', 'Physics', 'Social Studies', 'U.S. History', 'Geography', 'Civics'],
  ...[
    'Spanish',
    'French',
    'Arabic',
    'Hebrew',
    'ESL',
    'Visual Arts',
    'Music',
    'Physical Education',
    'Special Education',
  ],
  'Classroom Management',
] as const
