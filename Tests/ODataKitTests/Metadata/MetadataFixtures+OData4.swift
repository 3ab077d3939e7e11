// OData 4.01: the same model in XML and in JSON.
extension MetadataFixtures {
  static let shop4 = """
    <?xml version="1.0" encoding="utf-8"?>
    <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
      <edmx:Reference Uri="https://example.org/core.xml">
        <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/>
        <Annotation xmlns="http://docs.oasis-open.org/odata/ns/edm" Term="Core.Description" String="Words"/>
      </edmx:Reference>
      <edmx:Reference Uri="base.xml"><edmx:Include Namespace="Base"/><edmx:IncludeAnnotations TermNamespace="X"/></edmx:Reference>
      <edmx:DataServices>
        <Schema Namespace="Sales.V1" Alias="self" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <Annotation Term="Core.SchemaVersion" String="1.2"/>
          <EntityType Name="Party" Abstract="true">
            <Key><PropertyRef Name="Info/Id" Alias="PartyId"/></Key>
            <Property Name="Info" Type="self.Info" Nullable="false"/>
            <Property Name="Names" Type="Collection(Edm.String)" Nullable="false" MaxLength="40"/>
          </EntityType>
          <EntityType Name="Customer" BaseType="self.Party" OpenType="true">
            <Property Name="Weight" Type="self.Mass"/>
            <Property Name="Access" Type="self.Access" Nullable="false" DefaultValue="Read"/>
            <Property Name="Score" Type="Edm.Decimal" Precision="7" Scale="floating"/>
            <Property Name="Balance" Type="Edm.Decimal" Scale="variable"/>
            <Property Name="Since" Type="Edm.DateTimeOffset" Precision="6"/>
            <Property Name="Where" Type="Edm.GeographyPoint" SRID="4326"/>
            <Property Name="Code" Type="Edm.String" Unicode="false" MaxLength="max">
              <Annotation Term="Core.Computed"/>
              <Annotation Term="Core.Description" Qualifier="Short" String="A code"/>
            </Property>
            <Property Name="Stranger" Type="Base.Thing"/>
            <NavigationProperty Name="Orders" Type="Collection(self.Order)" Partner="Customer" ContainsTarget="true"><OnDelete Action="Cascade"/></NavigationProperty>
            <NavigationProperty Name="Boss" Type="self.Customer"/>
          </EntityType>
          <EntityType Name="Order" HasStream="true">
            <Key><PropertyRef Name="CustomerId"/><PropertyRef Name="Number"/></Key>
            <Property Name="CustomerId" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Number" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Customer" Type="self.Customer" Nullable="false" Partner="Orders">
              <ReferentialConstraint Property="CustomerId" ReferencedProperty="Info/Id"/>
            </NavigationProperty>
          </EntityType>
          <ComplexType Name="Info">
            <Property Name="Id" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Created" Type="Edm.Date"/>
          </ComplexType>
          <ComplexType Name="RichInfo" BaseType="self.Info" OpenType="true">
            <Property Name="Any" Type="Edm.Untyped"/>
            <NavigationProperty Name="By" Type="self.Customer"/>
          </ComplexType>
          <EnumType Name="Access" UnderlyingType="Edm.Int64" IsFlags="true">
            <Member Name="None" Value="0"/>
            <Member Name="Read" Value="1"><Annotation Term="Core.Description" String="May look"/></Member>
            <Member Name="Write" Value="2"/>
          </EnumType>
          <TypeDefinition Name="Mass" UnderlyingType="Edm.Decimal" Precision="9" Scale="3">
            <Annotation Term="Org.OData.Measures.V1.Unit" String="kg"/>
          </TypeDefinition>
          <Action Name="Approve" IsBound="true">
            <Parameter Name="order" Type="self.Order" Nullable="false"/>
            <Parameter Name="note" Type="Edm.String" MaxLength="80"/>
          </Action>
          <Action Name="Reset"/>
          <Function Name="Top"><Parameter Name="count" Type="Edm.Int32" Nullable="false"/><ReturnType Type="Collection(self.Customer)" Nullable="false"/></Function>
          <Function Name="Top" IsComposable="true"><ReturnType Type="Collection(self.Customer)" Nullable="false"/></Function>
          <Function Name="Debt" IsBound="true" EntitySetPath="customer/Orders"><Parameter Name="customer" Type="Collection(self.Customer)" Nullable="false"/><ReturnType Type="Edm.Decimal" Scale="variable"/></Function>
          <EntityContainer Name="Common">
            <EntitySet Name="Parties" EntityType="self.Party"/>
          </EntityContainer>
          <EntityContainer Name="Service" Extends="self.Common">
            <EntitySet Name="Customers" EntityType="self.Customer">
              <NavigationPropertyBinding Path="Boss" Target="Customers"/>
              <NavigationPropertyBinding Path="self.Customer/Boss" Target="self.Service/Me"/>
              <Annotation Term="Core.OptimisticConcurrency"><Collection><PropertyPath>Since</PropertyPath><PropertyPath>Info/Id</PropertyPath></Collection></Annotation>
            </EntitySet>
            <EntitySet Name="Hidden" EntityType="self.Order" IncludeInServiceDocument="false"/>
            <Singleton Name="Me" Type="self.Customer" Nullable="true"/>
            <ActionImport Name="Reset" Action="self.Reset"/>
            <FunctionImport Name="Top" Function="self.Top" EntitySet="Customers" IncludeInServiceDocument="true"/>
          </EntityContainer>
          <Annotations Target="self.Customer/Boss">
            <Annotation Term="Core.Permissions"><EnumMember>Core.Permission/Read Core.Permission/Write</EnumMember></Annotation>
          </Annotations>
          <Annotations Target="self.Service/Me">
            <Annotation Term="Org.Example.Rule">
              <Record Type="self.Info">
                <PropertyValue Property="Limit" Int="42"/>
                <PropertyValue Property="Who" Path="Boss"/>
                <PropertyValue Property="Off"><Null/></PropertyValue>
                <PropertyValue Property="If"><If><Path>A</Path><String>b</String><String>c</String></If></PropertyValue>
              </Record>
            </Annotation>
          </Annotations>
        </Schema>
      </edmx:DataServices>
    </edmx:Edmx>
    """

  static let shop4JSON = """
    {"$Version":"4.01","$EntityContainer":"Sales.V1.Service","$Reference":{
    "https://example.org/core.xml":{"$Include":[{"$Namespace":"Org.OData.Core.V1","$Alias":"Core"}],"@Core.Description":"Words"},
    "base.xml":{"$Include":[{"$Namespace":"Base"}],"$IncludeAnnotations":[{"$TermNamespace":"X"}]}},
    "Sales.V1":{
    "Party":{"$Kind":"EntityType","$Abstract":true,"$Key":[{"PartyId":"Info/Id"}],
     "Info":{"$Type":"self.Info"},"Names":{"$Collection":true,"$MaxLength":40}},
    "Customer":{"$Kind":"EntityType","$BaseType":"self.Party","$OpenType":true,
     "Weight":{"$Type":"self.Mass","$Nullable":true},
     "Access":{"$Type":"self.Access","$DefaultValue":"Read"},
     "Score":{"$Type":"Edm.Decimal","$Nullable":true,"$Precision":7,"$Scale":"floating"},
     "Balance":{"$Type":"Edm.Decimal","$Nullable":true,"$Scale":"variable"},
     "Since":{"$Type":"Edm.DateTimeOffset","$Nullable":true,"$Precision":6},
     "Where":{"$Type":"Edm.GeographyPoint","$Nullable":true,"$SRID":4326},
     "Code":{"$Nullable":true,"$Unicode":false,"$MaxLength":"max","@Core.Computed":true,"@Core.Description#Short":"A code","@Core.Description#Short@Core.Computed":true},
     "Stranger":{"$Type":"Base.Thing","$Nullable":true},
     "Orders":{"$Kind":"NavigationProperty","$Collection":true,"$Type":"self.Order","$Partner":"Customer","$ContainsTarget":true,"$OnDelete":"Cascade","$OnDelete@Core.Description":"x"},
     "Boss":{"$Kind":"NavigationProperty","$Type":"self.Customer","$Nullable":true}},
    "Order":{"CustomerId":{"$Type":"Edm.Int64"},"Number":{"$Type":"Edm.Int32"},
     "Customer":{"$Kind":"NavigationProperty","$Type":"self.Customer","$Partner":"Orders","$ReferentialConstraint":{"CustomerId":"Info/Id","CustomerId@Core.Description":"x"}},
     "$Key":["CustomerId","Number"],"$HasStream":true,"$Kind":"EntityType"},
    "Info":{"$Kind":"ComplexType","Id":{"$Type":"Edm.Int64"},"Created":{"$Type":"Edm.Date","$Nullable":true}},
    "RichInfo":{"$Kind":"ComplexType","$BaseType":"self.Info","$OpenType":true,"Any":{"$Type":"Edm.Untyped","$Nullable":true},
     "By":{"$Kind":"NavigationProperty","$Type":"self.Customer","$Nullable":true}},
    "Access":{"$Kind":"EnumType","$UnderlyingType":"Edm.Int64","$IsFlags":true,"None":0,"Read":1,"Read@Core.Description":"May look","Write":"2"},
    "Mass":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Decimal","$Precision":9,"$Scale":3,"@Org.OData.Measures.V1.Unit":"kg"},
    "Approve":[{"$Kind":"Action","$IsBound":true,"$Parameter":[{"$Name":"order","$Type":"self.Order"},{"$Name":"note","$Nullable":true,"$MaxLength":80}]}],
    "Reset":[{"$Kind":"Action"}],
    "Top":[{"$Kind":"Function","$Parameter":[{"$Name":"count","$Type":"Edm.Int32"}],"$ReturnType":{"$Collection":true,"$Type":"self.Customer"}},
     {"$Kind":"Function","$IsComposable":true,"$ReturnType":{"$Collection":true,"$Type":"self.Customer"}}],
    "Debt":[{"$Kind":"Function","$IsBound":true,"$EntitySetPath":"customer/Orders","$Parameter":[{"$Name":"customer","$Collection":true,"$Type":"self.Customer"}],"$ReturnType":{"$Type":"Edm.Decimal","$Nullable":true,"$Scale":"variable"}}],
    "Tag":{"$Kind":"Term","$Type":"Edm.Boolean"},
    "Common":{"$Kind":"EntityContainer","Parties":{"$Collection":true,"$Type":"self.Party"}},
    "Service":{"$Kind":"EntityContainer","$Extends":"self.Common",
     "Customers":{"$Collection":true,"$Type":"self.Customer","$NavigationPropertyBinding":{"Boss":"Customers","self.Customer/Boss":"self.Service/Me"},"@Core.OptimisticConcurrency":["Since","Info/Id"]},
     "Hidden":{"$Collection":true,"$Type":"self.Order","$IncludeInServiceDocument":false},
     "Me":{"$Type":"self.Customer","$Nullable":true},
     "Reset":{"$Action":"self.Reset"},
     "Top":{"$Function":"self.Top","$EntitySet":"Customers","$IncludeInServiceDocument":true}},
    "$Annotations":{"self.Customer/Boss":{"@Core.Permissions":"Read,Write"},
     "self.Service/Me":{"@Org.Example.Rule":{"@type":"#self.Info","Limit":42,"Who":{"$Path":"Boss"},"Off":null,"If":{"$If":[{"$Path":"A"},"b","c"]}}}},
    "@Core.SchemaVersion":"1.2","$Alias":"self"}}
    """
}
