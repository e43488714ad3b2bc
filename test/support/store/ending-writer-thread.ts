// The thread that commits turns to PostgreSQL, with a defect.

import './ending-writer.ts'
import '../../../src/store/postgres/writer-thread.ts'
