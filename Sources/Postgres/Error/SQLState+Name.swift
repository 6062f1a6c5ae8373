extension SQLState {
    /// The name of the condition, such as `unique_violation` (PostgreSQL manual, appendix A): what a person is told
    /// instead of the code.
    ///
    /// A code that is not listed here has the name of its class.
    package var name: String {
        Self.names[rawValue] ?? Self.classNames[classCode] ?? "unknown_condition"
    }

    /// The conditions that a service of ours can meet.
    private static let names = [
        "0A000": "feature_not_supported", "22001": "string_data_right_truncation",
        "22003": "numeric_value_out_of_range",
        "22008": "datetime_field_overflow", "22012": "division_by_zero", "22021": "character_not_in_repertoire",
        "22023": "invalid_parameter_value", "22P02": "invalid_text_representation", "23502": "not_null_violation",
        "23503": "foreign_key_violation", "23505": "unique_violation", "23514": "check_violation",
        "23P01": "exclusion_violation", "25006": "read_only_sql_transaction", "25P02": "in_failed_sql_transaction",
        "25P03": "idle_in_transaction_session_timeout", "28000": "invalid_authorization_specification",
        "28P01": "invalid_password", "3D000": "invalid_catalog_name", "3F000": "invalid_schema_name",
        "40001": "serialization_failure", "40003": "statement_completion_unknown", "40P01": "deadlock_detected",
        "42501": "insufficient_privilege", "42601": "syntax_error", "42703": "undefined_column",
        "42704": "undefined_object", "42710": "duplicate_object", "42804": "datatype_mismatch",
        "42883": "undefined_function", "42P01": "undefined_table", "42P04": "duplicate_database",
        "42P05": "duplicate_prepared_statement",
        "42P07": "duplicate_table", "53100": "disk_full", "53200": "out_of_memory", "53300": "too_many_connections",
        "55000": "object_not_in_prerequisite_state",
        "55006": "object_in_use", "55P03": "lock_not_available", "57014": "query_canceled", "57P01": "admin_shutdown",
        "57P02": "crash_shutdown", "57P03": "cannot_connect_now", "58030": "io_error", "58P01": "undefined_file",
        "P0001": "raise_exception", "XX001": "data_corrupted", "XX002": "index_corrupted",
    ]

    private static let classNames = [
        "01": "warning", "02": "no_data", "08": "connection_exception", "0A": "feature_not_supported",
        "21": "cardinality_violation", "22": "data_exception", "23": "integrity_constraint_violation",
        "24": "invalid_cursor_state", "25": "invalid_transaction_state", "26": "invalid_sql_statement_name",
        "28": "invalid_authorization_specification", "40": "transaction_rollback",
        "42": "syntax_error_or_access_rule_violation", "53": "insufficient_resources", "54": "program_limit_exceeded",
        "55": "object_not_in_prerequisite_state", "57": "operator_intervention", "58": "system_error",
        "P0": "plpgsql_error", "XX": "internal_error",
    ]
}
