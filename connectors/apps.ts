import type { ConnectorSpec } from './define.ts'
import { campingHost } from './camping-host/index.ts'
import { courseSchool } from './course-school/index.ts'
import { crm } from './crm/index.ts'
import { digitalProducts } from './digital-products/index.ts'
import { eventManagement } from './event-management/index.ts'
import { fieldJobs } from './field-jobs/index.ts'
import { fieldService } from './field-service/index.ts'
import { fitnessStudio } from './fitness-studio/index.ts'
import { invitations } from './invitations/index.ts'
import { petSalon } from './pet-salon/index.ts'
import { photoGallery } from './photo-gallery/index.ts'
import { propertyAdvertising } from './property-advertising/index.ts'
import { questionAnswer } from './question-answer/index.ts'
import { realEstateAnalytics } from './real-estate-analytics/index.ts'
import { salonBooking } from './salon-booking/index.ts'
import { salon } from './salon/index.ts'
import { teacherMarketplace } from './teacher-marketplace/index.ts'
import { tourActivity } from './tour-activity/index.ts'
import { tourSupplier } from './tour-supplier/index.ts'
import { travelBooking } from './travel-booking/index.ts'
import { travelLog } from './travel-log/index.ts'
import { videoStreaming } from './video-streaming/index.ts'

/** One line per app, by slug, which is also the connector's folder. */
export const connectors: Readonly<Record<string, ConnectorSpec>> = {
  'camping-host': campingHost,
  'course-school': courseSchool,
  crm,
  'digital-products': digitalProducts,
  'event-management': eventManagement,
  'field-jobs': fieldJobs,
  'field-service': fieldService,
  'fitness-studio': fitnessStudio,
  invitations,
  'pet-salon': petSalon,
  'photo-gallery': photoGallery,
  'property-advertising': propertyAdvertising,
  'question-answer': questionAnswer,
  'real-estate-analytics': realEstateAnalytics,
  salon,
  'salon-booking': salonBooking,
  'teacher-marketplace': teacherMarketplace,
  'tour-activity': tourActivity,
  'tour-supplier': tourSupplier,
  'travel-booking': travelBooking,
  'travel-log': travelLog,
  'video-streaming': videoStreaming,
}
