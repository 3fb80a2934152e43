/** The types of resources of FHIR R4 and R5, whose names may stand in references. */
export const RESOURCE_TYPES: ReadonlySet<string> = new Set(
  (
    'Account ActivityDefinition ActorDefinition AdministrableProductDefinition AdverseEvent AllergyIntolerance ' +
    'Appointment AppointmentResponse ArtifactAssessment AuditEvent Basic Binary BiologicallyDerivedProduct ' +
    'BiologicallyDerivedProductDispense BodyStructure Bundle CapabilityStatement CarePlan CareTeam CatalogEntry ' +
    'ChargeItem ChargeItemDefinition Citation Claim ClaimResponse ClinicalImpression ClinicalUseDefinition ' +
    'CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition ' +
    'ConditionDefinition Consent Contract Coverage CoverageEligibilityRequest CoverageEligibilityResponse ' +
    'DetectedIssue Device DeviceAssociation DeviceDefinition DeviceDispense DeviceMetric DeviceRequest DeviceUsage ' +
    'DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference EffectEvidenceSynthesis Encounter ' +
    'EncounterHistory Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence ' +
    'EvidenceReport EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag ' +
    'FormularyItem GenomicStudy Goal GraphDefinition Group GuidanceResponse HealthcareService ImagingSelection ' +
    'ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation ImplementationGuide Ingredient ' +
    'InsurancePlan InventoryItem InventoryReport Invoice Library Linkage List Location ManufacturedItemDefinition ' +
    'Measure MeasureReport Media Medication MedicationAdministration MedicationDispense MedicationKnowledge ' +
    'MedicationRequest MedicationStatement MedicinalProductDefinition MessageDefinition MessageHeader ' +
    'MolecularSequence NamingSystem NutritionIntake NutritionOrder NutritionProduct Observation ' +
    'ObservationDefinition OperationDefinition OperationOutcome Organization OrganizationAffiliation ' +
    'PackagedProductDefinition Parameters Patient PaymentNotice PaymentReconciliation Permission Person ' +
    'PlanDefinition Practitioner PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse ' +
    'RegulatedAuthorization RelatedPerson RequestGroup RequestOrchestration Requirements ResearchDefinition ' +
    'ResearchElementDefinition ResearchStudy ResearchSubject RiskAssessment RiskEvidenceSynthesis Schedule ' +
    'SearchParameter ServiceRequest Slot Specimen SpecimenDefinition StructureDefinition StructureMap Subscription ' +
    'SubscriptionStatus SubscriptionTopic Substance SubstanceDefinition SubstanceNucleicAcid SubstancePolymer ' +
    'SubstanceProtein SubstanceReferenceInformation SubstanceSourceMaterial SupplyDelivery SupplyRequest Task ' +
    'TerminologyCapabilities TestPlan TestReport TestScript Transport ValueSet VerificationResult VisionPrescription'
  ).split(' '),
);
